import type { Conversation } from '@backline/sdk'
import { type DragEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Checkbox } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type Draft, joined, withText } from '../model/drafts.ts'
import styles from './Composer.module.css'
import { Files } from './Files.tsx'
import { Macros } from './Macros.tsx'
import { Templates } from './Templates.tsx'
import { texts } from './texts.ts'
import type { useUploads } from './use-uploads.ts'

type EditorProps = {
  field: RefObject<HTMLTextAreaElement | null>
  conversation: Conversation
  label: string
  placeholder: string
  draft: Draft
  onDraft(change: (draft: Draft) => Draft): void
  /** @param resolves the conversation is resolved as well */
  onSubmit(resolves: boolean): void
  uploading: ReturnType<typeof useUploads>
  /** The buttons that send. */
  actions: ReactNode
}

/** The text of a draft, its files, and what can be put into it. */
export function Editor(props: EditorProps) {
  const { field, conversation, label, placeholder, draft, onDraft, onSubmit, uploading, actions } = props
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const { body, attachments } = draft[draft.mode]
  const canAttach = can('files:write')
  const hasFiles = ({ dataTransfer }: DragEvent) => canAttach && dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Dropping is one of three ways; the button serves everybody.
    <div
      className={styles.editor}
      data-mode={draft.mode}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        uploading.add(event.dataTransfer.files)
      }}
    >
      <textarea
        dir="auto"
        ref={field}
        className={styles.field}
        aria-label={label}
        placeholder={placeholder}
        rows={3}
        value={body}
        onChange={(event) => onDraft((each) => withText(each, { body: event.target.value }))}
        onPaste={(event) => {
          if (!canAttach || event.clipboardData.files.length === 0) return
          event.preventDefault()
          uploading.add(event.clipboardData.files)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur() // the shortcuts of the page are there again
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          if (!event.repeat) onSubmit(event.shiftKey)
        }}
      />
      <Files
        attachments={attachments}
        uploads={uploading.uploads}
        onRemove={(fileId) =>
          onDraft((each) =>
            withText(each, { attachments: attachments.filter(({ file_id }) => file_id !== fileId) }),
          )
        }
        onCancel={uploading.remove}
        onRetry={uploading.retry}
      />
      <Row wraps className={styles.bar}>
        {canAttach && (
          <>
            <IconButton icon="attach" label={text.attach} onClick={() => picker.current?.click()} />
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={({ target }) => {
                uploading.add(target.files ?? [])
                target.value = ''
              }}
            />
          </>
        )}
        <Templates
          conversation={conversation}
          onInsert={(inserted, isMarkdown) => {
            onDraft((each) => {
              const next = withText(each, { body: joined(each[each.mode].body, inserted) })
              return { ...next, isMarkdown: isMarkdown || each.isMarkdown }
            })
            field.current?.focus()
          }}
        />
        <Macros conversation={conversation} />
        <Checkbox
          label={text.markdown}
          checked={draft.isMarkdown}
          onChange={(event) => onDraft((each) => ({ ...each, isMarkdown: event.target.checked }))}
        />
        {actions}
      </Row>
      {isOver && <div className={styles.drop}>{text.dropHere}</div>}
    </div>
  )
}

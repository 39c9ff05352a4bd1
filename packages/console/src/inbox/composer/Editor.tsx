import type { Conversation, Macro, Operator } from '@backline/sdk'
import { Toolbar } from '@base-ui/react/toolbar'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useKeys } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { applyEdit, FormatToolbar, formatOf, formatted, insertion } from '../../forms/FormatToolbar.tsx'
import type { Format } from '../../forms/markdown-edits.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { type Draft, joined, withText } from '../model/drafts.ts'
import { written } from '../model/markup.ts'
import { focusOnOpening, type Part } from '../model/opening.ts'
import { type Help, textOf } from './articles.ts'
import styles from './Composer.module.css'
import { EmojiPicker } from './EmojiPicker.tsx'
import { Files } from './Files.tsx'
import { Insert } from './Insert.tsx'
import { MacroDialog, type MacroTexts } from './MacroDialog.tsx'
import { Macros, useCanApplyMacros } from './Macros.tsx'
import { Mention } from './Mention.tsx'
import { MessagePreview } from './MessagePreview.tsx'
import { Suggestions } from './Suggestions.tsx'
import { Templates } from './Templates.tsx'
import { texts } from './texts.ts'
import { useSuggestions } from './use-suggestions.ts'
import { useTemplate } from './use-template.tsx'
import type { TypedList } from './use-typed-list.ts'
import type { useUploads } from './use-uploads.ts'

type EditorProps = {
  field: RefObject<HTMLTextAreaElement | null>
  conversation: Conversation
  label: string
  placeholder: string
  draft: Draft
  /** The operators whom the text mentions. */
  mentions(body: string): string[]
  onDraft(change: (draft: Draft) => Draft): void
  /** @param resolves the conversation is resolved as well */
  onSubmit(resolves: boolean): void
  uploading: ReturnType<typeof useUploads>
  /** The buttons that send. */
  actions: ReactNode
  /** Folds the composer, where there is little room. */
  onFold: (() => void) | null
}

const formats: Format[] = ['bold', 'italic', 'link', 'bullets', 'quote', 'code']

/** The text of a draft, its files, and what can be put into it. */
export function Editor(props: EditorProps) {
  const {
    mentions,
    field,
    conversation,
    label,
    placeholder,
    draft,
    onDraft,
    onSubmit,
    uploading,
    actions,
    onFold,
  } = props
  const text = useTexts(texts)
  const toast = useToast()
  const { backline, can } = useEnvironment()
  const picker = useRef<HTMLInputElement>(null)
  const [isPreview, setPreview] = useState(false)
  const [openList, setOpenList] = useState<Opener | null>(null)
  /** Where the character stands that opened a list; null without one. */
  const opener = useRef<number | null>(null)
  const [chosenMacro, setChosenMacro] = useState<{ macro: Macro; origin: Part } | null>(null)
  const suggestions = useSuggestions(conversation)
  const appliesMacros = useCanApplyMacros(conversation)
  const { body, attachments } = draft[draft.mode]
  if (isPreview && body === '') setPreview(false)
  const canAttach = can('files:write')
  const write = (next: string) =>
    onDraft((each) => withText(each, { body: next, ...(next.trim() === '' && { templateId: null }) }))

  /** For what no character has asked for. */
  const withoutOpener =
    <Input,>(run: (input: Input) => void) =>
    (input: Input) => {
      opener.current = null
      run(input)
    }
  /** Puts a text where the cursor is, in place of the character that asked for it. */
  const insert = (inserted: string) => {
    const area = field.current
    setPreview(false)
    if (!area) return write(joined(body, inserted))
    const at = opener.current
    opener.current = null
    if (at !== null && isOpener(area.value[at])) applyEdit(area, insertion(at, at + 1, inserted), write)
    else applyEdit(area, insertion(area.selectionStart, area.selectionEnd, inserted), write)
  }
  /** A text of its own: a paragraph, unless a character says where it belongs. */
  const insertText = (inserted: string) => {
    if (opener.current !== null) return insert(inserted)
    // It may have been loaded meanwhile: what was written since then stays, in the reply as in the note.
    const { mode } = draft
    onDraft((each) => ({ ...each, [mode]: { ...each[mode], body: joined(each[mode].body, inserted) } }))
    field.current?.focus()
  }
  const template = useTemplate(conversation, (rendered, isMarkdown, templateId) => {
    insertText(rendered)
    onDraft((each) => ({ ...withText(each, { templateId }), ...(isMarkdown && { isMarkdown: true }) }))
  })
  const insertHelp = (help: Help) =>
    void textOf(backline, help).then(insertText, (error) =>
      toast.failed({ title: text.articleFailed, detail: reasonOf(error) }),
    )
  const mention = ({ id, name }: Operator) => {
    const area = field.current
    const isInWord = opener.current === null && area && /\S$/.test(area.value.slice(0, area.selectionStart))
    insert(`${isInWord ? ' ' : ''}@${name} `)
    onDraft((each) => withText(each, { mentions: [...(each[each.mode].mentions ?? []), id] }))
  }
  const listOf = (character: Opener): TypedList => ({
    field,
    isOpen: openList === character,
    onOpen() {
      opener.current = null
      setOpenList(character)
    },
    onClose: () => setOpenList(null),
    onTyped(typed) {
      const isTyped = opener.current !== null
      opener.current = null
      // It belongs to the message, unless a button has opened the list.
      if (isTyped && typed !== '') requestAnimationFrame(() => insert(typed))
    },
  })
  const takeTexts = ({ messages, resolves }: MacroTexts) => {
    onDraft((each) => {
      let draft = withEarlier(each, resolves)
      for (const { visibility, body: added, body_format } of messages) {
        const mode = visibility === 'internal' ? 'note' : 'reply'
        const isMarkdown = body_format === 'markdown' ? true : draft.isMarkdown
        const joinedText = { ...draft[mode], body: joined(draft[mode].body, added) }
        draft = { ...draft, mode, isMarkdown, [mode]: joinedText }
      }
      return draft
    })
    focusOnOpening(conversation.id, 'text')
  }
  useKeys(
    [
      { label: text.send, shortcut: 'mod enter' },
      ...(draft.mode === 'reply' ? [{ label: text.sendAndResolve, shortcut: 'mod shift enter' }] : []),
      { label: text.insertAny, shortcut: '/' },
      { label: text.linkSelected, shortcut: 'mod k' },
      { label: text.leaveText, shortcut: 'escape' },
    ].map((key) => ({ ...key, group: text.write })),
  )
  const format = (name: Format) => {
    if (field.current) applyEdit(field.current, formatted(name, field.current), write)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const area = event.currentTarget
    if (event.key === 'Escape') area.blur() // the shortcuts of the page are there again
    // Without a selection, the keys open the command palette, as on all pages.
    const isLink =
      (event.metaKey || event.ctrlKey) &&
      event.key.toLowerCase() === 'k' &&
      area.selectionStart !== area.selectionEnd
    const name = isLink ? 'link' : formatOf(event)
    if (name) {
      event.preventDefault()
      return format(name)
    }
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    if (!event.repeat) onSubmit(event.shiftKey)
  }
  const chosen =
    draft.isMarkdown === null ? text.formatAuto : draft.isMarkdown ? text.formatMarkdown : text.formatText
  const sent = written(body.trim(), draft.isMarkdown)
  return (
    <>
      {draft.mode === 'reply' && (
        <Suggestions
          conversationId={conversation.id}
          helps={suggestions}
          onInsert={withoutOpener(insertHelp)}
        />
      )}
      <div className={styles.editor} data-mode={draft.mode}>
        {isPreview && (
          <MessagePreview
            body={sent.body}
            isMarkdown={sent.body_format === 'markdown'}
            mentions={mentions(sent.body)}
          />
        )}
        <textarea
          dir="auto"
          ref={field}
          hidden={isPreview}
          className={styles.field}
          aria-label={label}
          placeholder={placeholder}
          rows={2}
          value={body}
          onChange={({ target, nativeEvent }) => {
            write(target.value)
            const at = target.selectionStart - 1
            const { data } = nativeEvent as InputEvent
            const isMeant = data === '/' || (data === '@' && draft.mode === 'note')
            if (!isMeant || !/^\s?$/.test(target.value[at - 1] ?? '')) return
            opener.current = at
            setOpenList(data)
          }}
          onPaste={(event) => {
            if (!canAttach || event.clipboardData.files.length === 0) return
            event.preventDefault()
            uploading.add(event.clipboardData.files)
          }}
          onKeyDown={onKeyDown}
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
        <Row wraps gap={0} className={styles.bar}>
          <FormatToolbar
            names={isPreview ? [] : formats}
            isSmall
            className={styles.formats}
            onFormat={format}
          >
            {can('kb:read') && (
              <Toolbar.Button
                render={
                  <IconButton
                    isSmall
                    icon={isPreview ? 'edit' : 'view'}
                    label={isPreview ? text.backToText : text.preview}
                    disabled={body === ''}
                    onClick={() => {
                      setPreview(!isPreview)
                      if (isPreview) requestAnimationFrame(() => field.current?.focus())
                    }}
                  />
                }
              />
            )}
          </FormatToolbar>
          <Menu
            trigger={<IconButton icon="sliders" isSmall label={text.format(chosen)} />}
            groups={[
              [null, true, false].map((isMarkdown, i) => ({
                label: [text.formatAuto, text.formatMarkdown, text.formatText][i]!,
                isChecked: draft.isMarkdown === isMarkdown,
                onSelect: () => onDraft((each) => ({ ...each, isMarkdown })),
              })),
            ]}
          />
          {canAttach && (
            <>
              <IconButton icon="attach" isSmall label={text.attach} onClick={() => picker.current?.click()} />
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
          <EmojiPicker field={field} onInsert={withoutOpener(insert)} />
          <Insert
            conversation={conversation}
            list={listOf('/')}
            suggested={suggestions}
            onTemplate={template.use}
            onHelp={insertHelp}
            onMacro={(macro) => {
              if (opener.current !== null) insert('')
              setChosenMacro({ macro, origin: 'text' })
            }}
          />
          {draft.mode === 'note' && <Mention list={listOf('@')} onChoose={mention} />}
          {can('message_templates:read') && (
            <Templates conversation={conversation} field={field} onChoose={withoutOpener(template.use)} />
          )}
          {appliesMacros && (
            <Macros
              conversation={conversation}
              field={field}
              onChoose={(macro) => setChosenMacro({ macro, origin: 'heading' })}
            />
          )}
          {onFold && <IconButton icon="chevronDown" isSmall label={text.fold} onClick={onFold} />}
          {actions}
        </Row>
      </div>
      {template.dialog}
      {chosenMacro && (
        <MacroDialog
          macro={chosenMacro.macro}
          conversation={conversation}
          onTexts={takeTexts}
          onClose={() => {
            setChosenMacro(null)
            focusOnOpening(conversation.id, chosenMacro.origin) // the list that had the focus is gone
          }}
        />
      )}
    </>
  )
}

/** A character that opens a list at the start of a word. */
type Opener = '/' | '@'
const isOpener = (character: string | undefined): boolean => character === '/' || character === '@'

const withEarlier = (draft: Draft, resolves: boolean): Draft =>
  resolves ? { ...draft, reply: { ...draft.reply, earlier: { sendAt: null, resolves } } } : draft

import type { Conversation } from '@backline/sdk'
import type { ReactNode, Ref } from 'react'
import { Checkbox } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Draft } from '../model/drafts.ts'
import styles from './Composer.module.css'
import { texts } from './texts.ts'

type EditorProps = {
  ref: Ref<HTMLTextAreaElement>
  conversation: Conversation
  label: string
  placeholder: string
  value: string
  onChange(value: string): void
  onSubmit(): void
  draft: Draft
  onDraft(change: (draft: Draft) => Draft): void
  actions: ReactNode
}

export function Editor({
  ref,
  label,
  placeholder,
  value,
  onChange,
  onSubmit,
  draft,
  onDraft,
  actions,
}: EditorProps) {
  const text = useTexts(texts)
  return (
    <>
      <textarea
        ref={ref}
        className={styles.field}
        aria-label={label}
        placeholder={placeholder}
        rows={3}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          onSubmit()
        }}
      />
      <div className={styles.bar}>
        <span className={styles.space} />
        <Checkbox
          label={text.markdown}
          checked={draft.isMarkdown}
          onChange={(event) => onDraft((each) => ({ ...each, isMarkdown: event.target.checked }))}
        />
        {actions}
      </div>
    </>
  )
}

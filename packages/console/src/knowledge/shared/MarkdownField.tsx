import { Toolbar } from '@base-ui/react/toolbar'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { applyEdit, FormatToolbar, formatOf, formatted, insertion } from '../../forms/FormatToolbar.tsx'
import type { Edit, Format } from '../../forms/markdown-edits.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './MarkdownField.module.css'
import { texts } from './texts.ts'
import { useUploads } from './uploads.ts'

type MarkdownFieldProps = {
  label: string
  value: string
  onChange(value: string): void
  error?: string | undefined
  placeholder?: string
  maxLength?: number
  /** Told while images are on their way; without it, the field takes none. */
  onUploading?: (isUploading: boolean) => void
  rows?: number
}

/** Markdown in a plain textarea, with a toolbar. The browser's undo takes back what the toolbar does too. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, value, onChange, error, placeholder, maxLength, onUploading, rows } = props
  const text = useTexts(texts)
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  const apply = (edit: Edit) => area.current && applyEdit(area.current, edit, onChange)
  const use = (name: Format) => {
    if (area.current) apply(formatted(name, area.current))
  }
  const { names, upload } = useUploads((markdown) => {
    const element = area.current
    if (!element) return
    const at = element.selectionEnd
    const before = at === 0 || element.value[at - 1] === '\n' ? '' : '\n\n'
    const insert = `${before}${markdown}\n`
    if (document.activeElement === element) return void apply(insertion(at, at, insert))
    // The focus stays where the person has gone meanwhile.
    element.setRangeText(insert, at, at, 'end')
    onChange(element.value)
  }, onUploading)

  const takesImages = Boolean(onUploading)
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = formatOf(event)
    if (!pressed) return
    event.preventDefault()
    use(pressed)
  }
  return (
    <div className={classes(styles.field, error && styles.wrong)}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <FormatToolbar className={styles.toolbar} onFormat={use}>
        {takesImages && (
          <Toolbar.Button
            render={<IconButton icon="image" label={text.image} onClick={() => chooser.current?.click()} />}
          />
        )}
      </FormatToolbar>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          void upload([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <textarea
        ref={area}
        id={id}
        className={styles.area}
        value={value}
        rows={rows}
        maxLength={maxLength}
        placeholder={placeholder}
        spellCheck
        dir="auto"
        aria-invalid={Boolean(error)}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (!takesImages || files.length === 0) return
          event.preventDefault()
          void upload(files)
        }}
        onDragOver={(event) => {
          if (!takesImages || !event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false)
          const files = [...event.dataTransfer.files]
          if (!takesImages || files.length === 0) return
          event.preventDefault()
          void upload(files)
        }}
      />
      {isOver && <div className={styles.drop}>{text.dropHere}</div>}
      <div role="status" className={names.length > 0 ? styles.note : undefined}>
        {names.length > 0 && text.uploading(names.join(', '))}
      </div>
      {error && (
        <div id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </div>
      )}
    </div>
  )
}

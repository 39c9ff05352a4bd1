import { Toolbar } from '@base-ui/react/toolbar'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import type { IconName } from '../../design/Icon.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './MarkdownField.module.css'
import { type Edit, type Format, format } from './markdown-edits.ts'
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

const formats: { name: Format; icon: IconName; shortcut?: string }[] = [
  { name: 'bold', icon: 'bold', shortcut: 'mod b' },
  { name: 'italic', icon: 'italic', shortcut: 'mod i' },
  { name: 'heading', icon: 'heading' },
  { name: 'link', icon: 'link' },
  { name: 'bullets', icon: 'list' },
  { name: 'numbers', icon: 'numbers' },
  { name: 'quote', icon: 'quote' },
  { name: 'code', icon: 'code' },
]

/** Markdown in a plain textarea, with a toolbar. The browser's undo takes back what the toolbar does too. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, value, onChange, error, placeholder, maxLength, onUploading, rows } = props
  const text = useTexts(texts)
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function apply({ start, end, insert, select }: Edit): void {
    const element = area.current
    if (!element) return
    element.focus()
    element.setSelectionRange(start, end)
    // Deprecated without a successor: nothing else writes to the history of undo.
    const isDone =
      insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert)
    if (!isDone) {
      element.setRangeText(insert, start, end, 'end')
      onChange(element.value)
    }
    element.setSelectionRange(...select)
  }
  const use = (name: Format) => {
    const element = area.current
    if (element)
      apply(format(name, { text: element.value, start: element.selectionStart, end: element.selectionEnd }))
  }
  const { names, upload } = useUploads((markdown) => {
    const element = area.current
    if (!element) return
    const at = element.selectionEnd
    const before = at === 0 || element.value[at - 1] === '\n' ? '' : '\n\n'
    const insert = `${before}${markdown}\n`
    if (document.activeElement === element)
      return apply({ start: at, end: at, insert, select: [at + insert.length, at + insert.length] })
    // The focus stays where the person has gone meanwhile.
    element.setRangeText(insert, at, at, 'end')
    onChange(element.value)
  }, onUploading)

  const takesImages = Boolean(onUploading)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
    const pressed = formats.find(({ shortcut }) => shortcut === `mod ${event.key.toLowerCase()}`)
    if (!pressed) return
    event.preventDefault()
    use(pressed.name)
  }
  return (
    <div className={classes(styles.field, error && styles.wrong)}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <Toolbar.Root className={styles.toolbar} aria-label={text.formatting}>
        {formats.map(({ name, icon, shortcut }) => (
          <Toolbar.Button
            key={name}
            render={
              <IconButton
                icon={icon}
                label={text[name]}
                {...(shortcut && { shortcut })}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => use(name)}
              />
            }
          />
        ))}
        {takesImages && (
          <Toolbar.Button
            render={<IconButton icon="image" label={text.image} onClick={() => chooser.current?.click()} />}
          />
        )}
      </Toolbar.Root>
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

import { Toolbar } from '@base-ui/react/toolbar'
import type { KeyboardEvent, ReactNode } from 'react'
import { useKeys } from '../app/commands.tsx'
import { IconButton } from '../design/Button.tsx'
import type { IconName } from '../design/Icon.tsx'
import { useTexts } from '../texts/language.tsx'
import { type Edit, type Format, format } from './markdown-edits.ts'
import { texts } from './texts.ts'

const formats: Record<Format, { icon: IconName; shortcut?: string }> = {
  bold: { icon: 'bold', shortcut: 'mod b' },
  italic: { icon: 'italic', shortcut: 'mod i' },
  heading: { icon: 'heading' },
  link: { icon: 'link' },
  bullets: { icon: 'list' },
  numbers: { icon: 'numbers' },
  quote: { icon: 'quote' },
  code: { icon: 'code' },
}

/** Edits a text area so that the browser's undo takes it back. @param onChange told if the browser does not */
export function applyEdit(
  element: HTMLTextAreaElement,
  { start, end, insert, select }: Edit,
  onChange: (value: string) => void,
): void {
  element.focus()
  element.setSelectionRange(start, end)
  // Deprecated without a successor: nothing else writes to the history of undo.
  const isDone =
    insert === ''
      ? start === end || document.execCommand('delete')
      : document.execCommand('insertText', false, insert)
  if (!isDone) {
    element.setRangeText(insert, start, end, 'end')
    onChange(element.value)
  }
  element.setSelectionRange(...select)
}

/** Replaces a range by a text, and puts the cursor behind it. */
export const insertion = (start: number, end: number, insert: string): Edit => ({
  start,
  end,
  insert,
  select: [start + insert.length, start + insert.length],
})

/** The edit of a format for what is selected in a text area. */
export const formatted = (name: Format, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): Edit =>
  format(name, { text: value, start: selectionStart, end: selectionEnd })

/** The format whose keys were pressed. */
export function formatOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): Format | undefined {
  if (!(metaKey || ctrlKey) || altKey || shiftKey) return undefined
  const names = Object.keys(formats) as Format[]
  return names.find((name) => formats[name].shortcut === `mod ${key.toLowerCase()}`)
}

type FormatToolbarProps = {
  names?: Format[]
  isSmall?: boolean
  className?: string | undefined
  onFormat(name: Format): void
  /** Other buttons, after those of the formats: each in a `Toolbar.Button`. */
  children?: ReactNode
}

/** Buttons that format what is selected in a text area, which keeps the focus. */
export function FormatToolbar({
  names = Object.keys(formats) as Format[],
  isSmall = false,
  className,
  onFormat,
  children,
}: FormatToolbarProps) {
  const text = useTexts(texts)
  useKeys(
    names.flatMap((name) => {
      const { shortcut } = formats[name]
      return shortcut ? [{ label: text[name], group: text.formatting, shortcut }] : []
    }),
  )
  return (
    <Toolbar.Root className={className} aria-label={text.formatting}>
      {names.map((name) => (
        <Toolbar.Button
          key={name}
          render={
            <IconButton
              isSmall={isSmall}
              icon={formats[name].icon}
              label={text[name]}
              {...(formats[name].shortcut && { shortcut: formats[name].shortcut })}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onFormat(name)}
            />
          }
        />
      ))}
      {children}
    </Toolbar.Root>
  )
}

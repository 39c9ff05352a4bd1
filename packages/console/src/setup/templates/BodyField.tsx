import { useRef } from 'react'
import { useCustomFields } from '../../data/configuration.ts'
import { Button } from '../../design/Button.tsx'
import { TextArea } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { standardGroups } from './variables.ts'

type BodyFieldProps = {
  label: string
  hint?: string
  error: string | undefined
  required?: boolean
  rows?: number
  value: string
  onChange(value: string): void
}

/** A text in Liquid, with a menu that inserts variables where the cursor is. */
export function BodyField({
  label,
  hint,
  error,
  required = false,
  rows = 9,
  value,
  onChange,
}: BodyFieldProps) {
  const text = useTexts(texts)
  const area = useRef<HTMLTextAreaElement>(null)
  const fields = useCustomFields().data ?? []
  const groups = [
    ...standardGroups,
    fields
      .filter(({ applies_to }) => applies_to !== 'company')
      .map(({ applies_to, key }) => `${applies_to}.custom_fields.${key}`),
  ].filter(({ length }) => length > 0)
  function insert(path: string): void {
    const { selectionStart: start = value.length, selectionEnd: end = value.length } = area.current ?? {}
    const inserted = `{{ ${path} }}`
    onChange(value.slice(0, start) + inserted + value.slice(end))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(start + inserted.length, start + inserted.length)
    })
  }
  return (
    <Stack>
      <TextArea
        ref={area}
        label={label}
        hint={hint}
        error={error}
        required={required}
        rows={rows}
        spellCheck
        isCode
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <div>
        <Menu
          trigger={<Button icon="plus">{text.insert}</Button>}
          groups={groups.map((paths) => paths.map((path) => ({ label: path, onSelect: () => insert(path) })))}
        />
      </div>
    </Stack>
  )
}

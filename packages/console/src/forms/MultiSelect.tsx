import { Combobox } from '@base-ui/react/combobox'
import { type ReactNode, useRef, useState } from 'react'
import { classes } from '../design/classes.ts'
import { Field, type Option } from '../design/Field.tsx'
import { Icon } from '../design/Icon.tsx'
import menu from '../design/Menu.module.css'
import { useTexts } from '../texts/language.tsx'
import styles from './MultiSelect.module.css'
import { texts } from './texts.ts'

type MultiSelectProps = {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | undefined
  options: Option[]
  value: string[]
  onChange(value: string[]): void
  /** A text that is no option can be chosen too. */
  isOpen?: boolean
  /** Options are suggestions only: Enter, a comma and leaving the field add what is typed, exactly so. */
  freeText?: { maxLength: number; most: number }
  placeholder?: string
}

const includesText = (texts: string[], text: string): boolean =>
  texts.some((each) => each.toLowerCase() === text.toLowerCase())

/** Chooses any number of options, by searching for them. */
export function MultiSelect({
  label,
  hideLabel = false,
  hint,
  error,
  options,
  value,
  onChange,
  freeText,
  isOpen = freeText !== undefined,
  placeholder,
}: MultiSelectProps) {
  const text = useTexts(texts)
  const [query, setQuery] = useState('')
  const labelOf = (each: string) => options.find((option) => option.value === each)?.label ?? each
  const highlighted = useRef<string>(undefined)
  const most = freeText?.most ?? Number.POSITIVE_INFINITY
  const typed = query.trim()
  const known = [...options.map((option) => option.label), ...(freeText ? value : [])]
  const isNew = isOpen && typed !== '' && !includesText(known, typed)
  const values = options.map((option) => option.value)
  function add(added: string): void {
    setQuery('')
    if (added !== '' && !includesText(value, added) && value.length < most) onChange([...value, added])
  }
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} value={value}>
      {(described) => (
        <Combobox.Root
          multiple
          autoHighlight={!freeText}
          items={isNew ? [...values, typed] : values}
          itemToStringLabel={labelOf}
          value={value}
          onValueChange={(next, details) => {
            // Escape leaves the dialog, and does not clear the field.
            if (details.reason === 'escape-key') return details.allowPropagation()
            if (next.length <= Math.max(most, value.length)) onChange(next)
            if (next.length > value.length) setQuery('')
          }}
          inputValue={query}
          onInputValueChange={(next, { reason }) => {
            if (freeText && reason === 'input-clear') return // the list closes; what is typed is added on blur
            if (freeText && next.endsWith(',')) add(next.slice(0, -1).trim())
            else setQuery(next)
          }}
          onItemHighlighted={(item) => {
            highlighted.current = item
          }}
        >
          <Combobox.InputGroup className={styles.box} data-invalid={error ? '' : undefined}>
            <Combobox.Chips className={styles.chips}>
              {value.map((each) => (
                <Combobox.Chip key={each} className={styles.chip}>
                  {labelOf(each)}
                  <Combobox.ChipRemove className={styles.remove} aria-label={text.removeNamed(labelOf(each))}>
                    <Icon name="close" size={12} />
                  </Combobox.ChipRemove>
                </Combobox.Chip>
              ))}
              <Combobox.Input
                className={styles.input}
                placeholder={value.length === 0 ? (placeholder ?? text.add) : ''}
                {...described}
                {...(freeText && {
                  maxLength: freeText.maxLength,
                  onBlur: () => add(typed),
                  onKeyDown(event) {
                    if (event.key !== 'Enter' || event.nativeEvent.isComposing || highlighted.current) return
                    event.preventDefault()
                    add(typed)
                  },
                })}
              />
            </Combobox.Chips>
          </Combobox.InputGroup>
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={4} align="start" className={styles.positioner}>
              <Combobox.Popup className={classes(menu.popup, styles.popup)}>
                <Combobox.Empty className={styles.empty}>{text.nothingFound}</Combobox.Empty>
                <Combobox.List>
                  {(each: string) => (
                    <Combobox.Item key={each} value={each} className={menu.item}>
                      <span className={menu.label}>
                        {isNew && each === typed ? text.chooseText(each) : labelOf(each)}
                      </span>
                      <Combobox.ItemIndicator className={styles.check}>
                        <Icon name="check" />
                      </Combobox.ItemIndicator>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  )
}

import { Combobox } from '@base-ui/react/combobox'
import { type ReactNode, useState } from 'react'
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
  placeholder?: string
}

/** Chooses any number of options, by searching for them. */
export function MultiSelect({
  label,
  hideLabel = false,
  hint,
  error,
  options,
  value,
  onChange,
  isOpen = false,
  placeholder,
}: MultiSelectProps) {
  const text = useTexts(texts)
  const [query, setQuery] = useState('')
  const labelOf = (each: string) => options.find((option) => option.value === each)?.label ?? each
  const typed = query.trim()
  const isNew =
    isOpen && typed !== '' && !options.some((option) => option.label.toLowerCase() === typed.toLowerCase())
  const values = options.map((option) => option.value)
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(described) => (
        <Combobox.Root
          multiple
          autoHighlight
          items={isNew ? [...values, typed] : values}
          itemToStringLabel={labelOf}
          value={value}
          onValueChange={(next, details) => {
            // Escape leaves the dialog, and does not clear the field.
            if (details.reason === 'escape-key') details.allowPropagation()
            else onChange(next)
          }}
          onInputValueChange={setQuery}
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

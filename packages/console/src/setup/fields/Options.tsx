import type { CustomFieldOption } from '@backline/sdk'
import type { Faults } from '../../data/faults.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Checkbox, Fault, TextField } from '../../design/Field.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { moved, patched, without } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { keyFromName } from './draft.ts'
import styles from './Fields.module.css'
import { texts } from './texts.ts'

type OptionsProps = {
  options: CustomFieldOption[]
  /** The values that are stored already, which objects may have. */
  stored: string[]
  onChange(options: CustomFieldOption[]): void
  faults: Faults
}

/** The options of a field in their order. The value follows the label until it is stored. */
export function Options({ options, stored, onChange, faults }: OptionsProps) {
  const text = useTexts(texts)
  const set = (at: number, change: Partial<CustomFieldOption>) => onChange(patched(options, at, change))
  function rename(at: number, { label: before, value }: CustomFieldOption, label: string): void {
    const follows = !stored.includes(value) && (value === '' || value === keyFromName(before))
    set(at, { label, ...(follows && { value: keyFromName(label) }) })
  }
  return (
    <>
      <Fault>{faults.at('')}</Fault>
      <Stack as="ol" gap={3}>
        {options.map((option, i) => {
          const name = option.label || text.option(i + 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: The label and the value change while they are typed.
            <li key={i} className={styles.option}>
              <TextField
                label={`${text.label}, ${text.option(i + 1)}`}
                hideLabel
                placeholder={text.label}
                required
                error={faults.at(`/${i}/label`) ?? faults.at(`/${i}`)}
                value={option.label}
                onChange={(event) => rename(i, option, event.target.value)}
              />
              <TextField
                label={`${text.value}, ${text.option(i + 1)}`}
                hideLabel
                placeholder={text.value}
                required
                readOnly={stored.includes(option.value)}
                isCode
                error={faults.at(`/${i}/value`)}
                value={option.value}
                onChange={(event) => set(i, { value: event.target.value })}
              />
              <Row as="span" gap={0} justify="end" className={styles.tools}>
                {stored.includes(option.value) && (
                  <Checkbox
                    label={text.archivedOption}
                    checked={option.archived}
                    onChange={(event) => set(i, { archived: event.target.checked })}
                  />
                )}
                <IconButton
                  icon="arrowUp"
                  label={text.moveUpNamed(name)}
                  disabled={i === 0}
                  onClick={() => onChange(moved(options, i, i - 1))}
                />
                <IconButton
                  icon="arrowDown"
                  label={text.moveDownNamed(name)}
                  disabled={i === options.length - 1}
                  onClick={() => onChange(moved(options, i, i + 1))}
                />
                <IconButton
                  icon="close"
                  label={text.removeNamed(name)}
                  onClick={() => onChange(without(options, i))}
                />
              </Row>
            </li>
          )
        })}
      </Stack>
      <div>
        <Button icon="plus" onClick={() => onChange([...options, { value: '', label: '', archived: false }])}>
          {text.addOption}
        </Button>
      </div>
    </>
  )
}

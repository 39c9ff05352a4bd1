import type { FilterCondition, FilterOperator, FilterTree } from '@backline/sdk'
import type { Faults } from '../data/faults.ts'
import { IconButton } from '../design/Button.tsx'
import { classes } from '../design/classes.ts'
import { Select } from '../design/Field.tsx'
import { Menu, type MenuItem } from '../design/Menu.tsx'
import { useTexts } from '../texts/language.tsx'
import { newCondition, withOperator } from './conditions.ts'
import styles from './Filter.module.css'
import { operatorsOf } from './fields.ts'
import { texts } from './texts.ts'
import type { NamedField } from './use-fields.ts'
import { useWording } from './use-wording.ts'
import { ValueField } from './ValueField.tsx'

type ConditionProps = {
  condition: FilterCondition
  fields: NamedField[]
  faults: Faults
  onChange(node: FilterTree): void
  /** Missing where the condition stands alone, below each other. */
  menu?: MenuItem[][]
}

/** One line of a filter: a field, an operator and a value. */
export function Condition({ condition, fields, faults, onChange, menu }: ConditionProps) {
  const text = useTexts(texts)
  const { fieldOf, operatorOf } = useWording(fields)
  const field = fieldOf(condition.field)
  const operators = operatorsOf[field.kind]
  const isKnownOperator = operators.includes(condition.op)
  return (
    <div className={classes(styles.condition, !menu && styles.alone)}>
      <Select
        label={text.field}
        hideLabel
        error={faults.at('/field')}
        options={[...(fields.includes(field) ? [] : [field]), ...fields].map((each) => ({
          value: each.field,
          label: each.label,
        }))}
        value={condition.field}
        onChange={({ target }) => {
          const next = fields.find((each) => each.field === target.value)
          if (next) onChange(newCondition(next))
        }}
      />
      <Select
        label={text.operator}
        hideLabel
        error={faults.at('/op')}
        options={[...(isKnownOperator ? [] : [condition.op]), ...operators].flatMap((op) =>
          op === 'exists'
            ? [
                { value: 'exists', label: text.exists },
                { value: 'exists_not', label: text.exists_not },
              ]
            : [{ value: op, label: operatorOf(field, op) }],
        )}
        value={condition.op === 'exists' && condition.value === false ? 'exists_not' : condition.op}
        onChange={({ target }) =>
          onChange(
            target.value === 'exists_not'
              ? { ...condition, op: 'exists', value: false }
              : withOperator(condition, field, target.value as FilterOperator),
          )
        }
      />
      <div className={styles.value}>
        <ValueField
          field={field}
          condition={condition}
          error={faults.under('/value') ?? faults.at('')}
          onChange={(value) => onChange({ ...condition, value })}
        />
      </div>
      {menu && <Menu trigger={<IconButton icon="more" label={text.more} />} groups={menu} />}
    </div>
  )
}

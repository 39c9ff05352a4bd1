import type { FilterCondition, FilterOperator, FilterTree } from '@backline/sdk'
import type { Faults } from '../data/faults.ts'
import { IconButton } from '../design/Button.tsx'
import { Select } from '../design/Field.tsx'
import { Menu, type MenuItem } from '../design/Menu.tsx'
import { useTexts } from '../texts/language.tsx'
import { newCondition, withOperator } from './conditions.ts'
import styles from './Filter.module.css'
import { operatorsOf } from './fields.ts'
import { texts } from './texts.ts'
import type { NamedField } from './use-fields.ts'
import { ValueField } from './ValueField.tsx'

type ConditionProps = {
  condition: FilterCondition
  fields: NamedField[]
  faults: Faults
  onChange(node: FilterTree): void
  menu: MenuItem[][]
}

/** One line of a filter: a field, an operator and a value. */
export function Condition({ condition, fields, faults, onChange, menu }: ConditionProps) {
  const text = useTexts(texts)
  const known = fields.find(({ field }) => field === condition.field)
  const field: NamedField = known ?? {
    field: condition.field,
    kind: 'text',
    label: text.unknownField(condition.field),
  }
  const timeNames: Partial<Record<FilterOperator, string>> = {
    gt: text.after,
    gte: text.from,
    lt: text.before,
    lte: text.upTo,
  }
  const nameOf = (op: FilterOperator): string =>
    (field.kind === 'time' ? timeNames[op] : undefined) ?? text[op]
  const operators = operatorsOf[field.kind]
  const isKnownOperator = operators.includes(condition.op)
  return (
    <div className={styles.condition}>
      <Select
        label={text.field}
        hideLabel
        error={faults.at('/field')}
        options={[...(known ? [] : [field]), ...fields].map((each) => ({
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
            : [{ value: op, label: nameOf(op) }],
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
      <Menu trigger={<IconButton icon="more" label={text.more} />} groups={menu} />
    </div>
  )
}

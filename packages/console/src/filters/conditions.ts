import type { FilterCondition, FilterOperator } from '@backline/sdk'
import type { FilterField } from './fields.ts'
import { operatorsOf } from './fields.ts'

type Scalar = string | number | boolean

const takesMany = (op: FilterOperator): boolean => op === 'in' || op === 'not_in'

/** The value that a person begins with. */
function emptyValue({ kind }: FilterField, op: FilterOperator): Scalar | Scalar[] {
  if (op === 'exists') return true
  if (takesMany(op)) return []
  if (op === 'within') return '-P7D'
  if (kind === 'boolean') return true
  return kind === 'number' ? 0 : ''
}

export const newCondition = (field: FilterField): FilterCondition => {
  const op = operatorsOf[field.kind][0]!
  return { field: field.field, op, value: emptyValue(field, op) }
}

/** The condition with another operator. Its value is kept if the operator can have it. */
export function withOperator(
  condition: FilterCondition,
  field: FilterField,
  op: FilterOperator,
): FilterCondition {
  const { value, op: before } = condition
  const isSpecial = (each: FilterOperator) => each === 'exists' || each === 'within'
  if (isSpecial(op) || isSpecial(before)) return { ...condition, op, value: emptyValue(field, op) }
  const many = Array.isArray(value) ? (value as Scalar[]) : value === '' ? [] : [value as Scalar]
  return { ...condition, op, value: takesMany(op) ? many : (many[0] ?? emptyValue(field, op)) }
}

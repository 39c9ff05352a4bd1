import type { FilterCondition, FilterOperator, FilterTree } from '@backline/sdk'
import { secondsOfPeriod } from '../forms/duration.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'
import { connectiveOf, isCondition, isNot, nodesOf } from './tree.ts'
import type { NamedField } from './use-fields.ts'

const timeNames = { gt: 'after', gte: 'from', lt: 'before', lte: 'upTo' } as const

/** Operators whose values say enough. */
const plain: ReadonlySet<FilterOperator> = new Set(['is', 'in'])

/** Filters in words. */
export function useWording(fields: NamedField[]) {
  const text = useTexts(texts)
  const { duration, date, moment } = useFormats()

  const fieldOf = (name: string): NamedField =>
    fields.find(({ field }) => field === name) ?? {
      field: name,
      kind: 'text',
      label: text.unknownField(name),
    }

  const operatorOf = ({ kind }: NamedField, op: FilterOperator): string =>
    text[(kind === 'time' && timeNames[op as keyof typeof timeNames]) || op]

  function nameOfValue({ kind, choices }: NamedField, value: string | number | boolean): string {
    if (typeof value === 'boolean') return value ? text.yes : text.no
    if (kind === 'time')
      return String(value).length === 'YYYY-MM-DD'.length ? date(String(value)) : moment(String(value))
    return choices?.find((choice) => choice.value === value)?.label ?? String(value)
  }

  function conditionOf({ field: name, op, value }: FilterCondition): string {
    const field = fieldOf(name)
    if (op === 'exists') return `${field.label} ${value === false ? text.exists_not : text.exists}`
    if (op === 'within') {
      const seconds = secondsOfPeriod(String(value)) ?? 0
      return `${field.label}: ${seconds < 0 ? text.last : text.next} ${duration(Math.abs(seconds))}`
    }
    const values = [value].flat().map((each) => nameOfValue(field, each as string | number | boolean))
    const isPlain = plain.has(op) || (op === 'contains' && field.kind === 'list')
    return `${field.label}${isPlain ? ':' : ` ${operatorOf(field, op)}`} ${values.join(', ')}`
  }

  function describe(node: FilterTree): string {
    if (isCondition(node)) return conditionOf(node)
    if (isNot(node)) return `${text.not} (${describe(node.not)})`
    const word = connectiveOf(node) === 'all' ? text.and : text.or
    return nodesOf(node)
      .map((each) => (isCondition(each) ? describe(each) : `(${describe(each)})`))
      .join(` ${word} `)
  }

  return { fieldOf, operatorOf, describe }
}

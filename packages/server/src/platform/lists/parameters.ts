import { parseInstant } from '../kernel/clock.ts'
import { uuidOf } from '../kernel/ids.ts'
import { type Check, Text, Type, WithCheck } from '../resource/schema.ts'
import type { Field, Leaf, Operator, Value } from './field.ts'
import { maxFilterBytes, maxLeaves, maxLevels } from './filter.ts'

const form =
  '`{"all": […]}`, `{"any": […]}`, `{"not": …}`, or a condition `{"field": "status", "op": "is", "value": "open"}`'

/** The query parameter `filter`. */
export const FilterParameter = (plural: string, example: object) =>
  Text(1, maxFilterBytes, {
    description: `Return only ${plural} that meet this filter: JSON of the form ${form}, up to ${maxLevels} levels and ${maxLeaves} conditions. The fields and operators are in the guide to filters.`,
    examples: [JSON.stringify(example)],
  })

/**
 * A filter in a body. Its custom fields depend on the environment, so that it is judged again when it is read.
 * @param check returns the faults that it has whatever custom fields there are
 */
export const FilterTree = (description: string, check: Check<unknown>) =>
  WithCheck(
    Type.Unsafe<unknown>({
      type: 'object',
      title: 'Filter',
      description: `${description} It has the form ${form}, up to ${maxLevels} levels and ${maxLeaves} conditions.`,
      additionalProperties: true,
      maxProperties: 3,
      examples: [{ field: 'status', op: 'in', value: ['new', 'open'] }],
    }),
    check,
  )

type Table = Readonly<Record<string, Field>>

export const leafOf = (fields: Table, field: string, op: Operator, ...values: Value[]): Leaf => ({
  field,
  of: fields[field]!,
  op,
  values,
})

/**
 * The conditions of the other parameters, such as `status=open`.
 * @param meanings the fields and operators of those that are not equality with the field of their name
 */
export const leavesOfParameters = (
  query: Readonly<Record<string, unknown>>,
  fields: Table,
  meanings: Readonly<Record<string, readonly [field: string, op: Operator]>> = {},
): Leaf[] =>
  Object.entries(query).flatMap(([name, text]) => {
    if (text === undefined) return []
    const [field, op] = meanings[name] ?? ([name, 'is'] as const)
    const texts = op === 'in' ? String(text).split(',') : [String(text)]
    return leafOf(fields, field, op, ...texts.map((each) => read(fields[field]!, each)))
  })

/** A valid text of a parameter as conditions have it. */
function read({ kind, prefix }: Field, text: string): Value {
  if (kind === 'id') return uuidOf(prefix!, text)!
  return kind === 'time' ? parseInstant(text)! : text
}

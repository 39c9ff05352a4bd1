import { Text, Type } from '../resource/schema.ts'
import { maxFilterBytes, maxLeaves, maxLevels } from './tree.ts'

const form =
  '`{"all": […]}`, `{"any": […]}`, `{"not": …}`, or a condition `{"field": "status", "op": "is", "value": "open"}`'

/** The query parameter `filter`. */
export const FilterParameter = (plural: string, example: object) =>
  Text(1, maxFilterBytes, {
    description: `Return only ${plural} that meet this filter: JSON of the form ${form}, up to ${maxLevels} levels and ${maxLeaves} conditions. The fields and operators are in the guide to filters.`,
    examples: [JSON.stringify(example)],
  })

/** A filter in a body. Its fields depend on the environment, so that it is checked when it is read. */
export const FilterTree = (description: string) =>
  Type.Unsafe<unknown>({
    type: 'object',
    title: 'Filter',
    description: `${description} It has the form ${form}, up to ${maxLevels} levels and ${maxLeaves} conditions.`,
    additionalProperties: true,
    maxProperties: 3,
    examples: [{ field: 'status', op: 'in', value: ['new', 'open'] }],
  })

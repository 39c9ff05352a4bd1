import { conditionOfEach, periodOf } from '../../../../platform/lists/condition.ts'
import type { At, Field, Fields, Kind, Leaf } from '../../../../platform/lists/field.ts'
import { type Sql, sql, textAfter } from '../../../../platform/postgres/sql.ts'
import { anyFields } from '../definitions.ts'
import { type CustomField, type CustomFieldType, slotOf } from '../queries.ts'
import { indexedText, orderedDigits } from '../values/index-text.ts'

/** The kinds of the values of custom fields. */
export const kindsOfCustomFields: Record<CustomFieldType, Kind> = {
  text: 'text',
  url: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
  select: 'enum',
  multi_select: 'list',
}

/** Custom fields that a filter names by a prefix and their key, such as `end_user.custom_fields.plan`. */
export type CustomFields = {
  prefix: string
  fields: readonly CustomField[]
  /** The scope that conditions on the fields of another object require. */
  scope?: string
  /** The condition that the object with the fields meets a condition on its `custom_values`. */
  some(condition: (values: Sql) => Sql, at: At): Sql
  /** The objects of the filter (`id`), by a query for those with the fields (`id`). */
  candidates(subjects: Sql, at: At): Sql
  /** True if an object of the filter can have several with the fields, of which none may meet two conditions. */
  several?: true
  /** The values by key in an object as the API shows it. */
  valuesIn?(object: never): Record<string, unknown>
}

/** Fields together with custom fields. */
export const withCustomFields = (fields: Fields, custom: CustomFields[]): Fields => ({
  find(name) {
    const known = fields.find(name)
    if (known) return known
    const prefix = name.slice(0, name.lastIndexOf('.') + 1)
    const from = custom.find((each) => each.prefix === prefix)
    const field = from?.fields.find(({ key }) => `${prefix}${key}` === name)
    return from && field && fieldOf(field, from)
  },
  names: () => [
    ...fields.names(),
    ...custom.flatMap(({ prefix, fields }) => fields.map(({ key }) => `${prefix}${key}`)),
  ],
  mayHave: (name) => custom.some(({ prefix, fields }) => fields === anyFields && name.startsWith(prefix)),
})

function fieldOf(field: CustomField, from: CustomFields): Field {
  const { type, name, options, key } = field
  const { scope, some, candidates, several, valuesIn } = from
  return {
    kind: kindsOfCustomFields[type],
    description: name,
    ...(scope ? { scope } : {}),
    ...(type.endsWith('select') ? { values: options.map(({ value }) => value) } : {}),
    some: (condition, at) => some((values) => someValue(field, values, condition), at),
    candidates(leaves, at) {
      // A list has several entries, too.
      const isSeveral = several || type === 'multi_select'
      const subjects = (isSeveral ? leaves.map((leaf) => [leaf]) : [leaves])
        .map((each) => subjectsWith(field, each, at))
        .find((found) => found !== undefined)
      return subjects && candidates(subjects, at)
    },
    ...(valuesIn ? { valuesIn: (object: never) => [valuesIn(object)[key]].flat() } : {}),
  }
}

/** Condition: one of the values meets a condition. @param values the column `custom_values` of the objects */
function someValue(field: CustomField, values: Sql, condition: (value: Sql) => Sql): Sql {
  const slot = slotOf(field.id)
  const text = sql`(${values} ->> ${slot}::text)`
  switch (field.type) {
    case 'number':
      return condition(sql`${text}::float8`)
    case 'boolean':
      return condition(sql`${text}::boolean`)
    case 'date':
      return condition(sql`(${text} || 'T00:00:00Z')::timestamptz`)
    case 'datetime':
      return condition(sql`${text}::timestamptz`)
    case 'multi_select':
      return sql`exists (select 1 from jsonb_array_elements_text(${values} -> ${slot}::text) option (value) where ${condition(sql`option.value`)})`
    default:
      return condition(text)
  }
}

/** A query for the ids (`id`) of the objects whose values may meet all leaves; undefined if no index serves them. */
function subjectsWith(field: CustomField, leaves: Leaf[], at: At): Sql | undefined {
  if (!field.indexed || !field.index_ready) return undefined
  const condition = conditionOfEach(leaves, (leaf) => entriesFor(field, leaf, at))
  return (
    condition &&
    sql`select subject_id as id from custom_field_values
      where tenant_id = ${at.tenantId} and field_id = ${field.id} and ${condition}`
  )
}

/** The entries of a leaf: at least those of the objects that meet it. */
function entriesFor(field: CustomField, leaf: Leaf, { now }: At): Sql | undefined {
  const { op, values } = leaf
  const entryOf = (value: unknown): string => {
    if (typeof value === 'number') return orderedDigits(value)
    // A date is the beginning of the times of its day.
    return field.type === 'date' ? String(value).slice(0, 10) : indexedText(String(value))
  }
  const between = (from: unknown, to: unknown) => sql`value >= ${entryOf(from)} and value <= ${entryOf(to)}`
  switch (op) {
    case 'is':
    case 'in':
      return sql`value = any(${values.map(entryOf)}::text[])`
    case 'contains':
      return leaf.of.kind === 'list' ? sql`value = any(${values.map(entryOf)}::text[])` : undefined
    case 'gt':
    case 'gte':
      return sql`value >= ${entryOf(values[0])}`
    case 'lt':
    case 'lte':
      return sql`value <= ${entryOf(values[0])}`
    case 'within':
      return between(...periodOf(leaf, now))
    case 'starts_with':
      return startingWith(entryOf(values[0]))
    case 'exists':
      return values[0] === true ? sql`true` : undefined
    default:
      return undefined
  }
}

function startingWith(start: string): Sql {
  const end = textAfter(start)
  return end === null ? sql`value >= ${start}` : sql`value >= ${start} and value < ${end}`
}

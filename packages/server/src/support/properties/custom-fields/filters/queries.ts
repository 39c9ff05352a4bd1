import { type Column, conditionOfEach, periodOf, valueColumn } from '../../../../platform/filters/compile.ts'
import type { Leaf } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import { type Sql, sql, textAfter } from '../../../../platform/postgres/sql.ts'
import { type CustomField, slotOf } from '../queries.ts'
import { indexedText, orderedDigits } from '../values/index-text.ts'

/**
 * A custom field in SQL.
 * @param values the column `custom_values` of the objects that have the field
 */
export function customColumn(field: CustomField, values: Sql): Column {
  const slot = slotOf(field.id)
  const text = sql`(${values} ->> ${slot}::text)`
  switch (field.type) {
    case 'number':
      return valueColumn(sql`${text}::float8`)
    case 'boolean':
      return valueColumn(sql`${text}::boolean`)
    case 'date':
      return valueColumn(sql`(${text} || 'T00:00:00Z')::timestamptz`)
    case 'datetime':
      return valueColumn(sql`${text}::timestamptz`)
    case 'multi_select':
      return {
        some: (condition) =>
          sql`exists (select 1 from jsonb_array_elements_text(${values} -> ${slot}::text) option (value) where ${condition(sql`option.value`)})`,
      }
    default:
      return valueColumn(text)
  }
}

/** A query for the ids (`id`) of the objects whose values may meet all leaves; undefined if no index serves them. */
export function customCandidates(
  field: CustomField,
  leaves: Leaf[],
  tenantId: string,
  now: Instant,
): Sql | undefined {
  if (!field.indexed || !field.index_ready) return undefined
  // An object has several entries for a list, of which none may meet two leaves.
  const condition = conditionOfEach(field.type === 'multi_select' ? leaves.slice(0, 1) : leaves, (leaf) =>
    entriesFor(field, leaf, now),
  )
  return (
    condition &&
    sql`select subject_id as id from custom_field_values
      where tenant_id = ${tenantId} and field_id = ${field.id} and ${condition}`
  )
}

/** The entries of a leaf: at least those of the objects that meet it. */
function entriesFor(field: CustomField, leaf: Leaf, now: Instant): Sql | undefined {
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

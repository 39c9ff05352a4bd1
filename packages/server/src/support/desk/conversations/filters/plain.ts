import type { Field } from '../../../../platform/filters/fields.ts'
import type { Filter, Leaf } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Status, WaitingOn } from '../lifecycle.ts'
import type { ConversationFilter } from '../lists/queries.ts'
import { conversationFieldTable } from './fields.ts'

/*
 * Simple filters, `?status=open`, and the leaves of a tree say the same in part. A tree of which all can be said by
 * simple filters is read by their walks; otherwise simple filters join the tree.
 */

type Plain = Pick<
  ConversationFilter,
  | 'status'
  | 'waiting_on'
  | 'priority'
  | 'channel'
  | 'initiated_by_side'
  | 'assignee_id'
  | 'department_id'
  | 'category_id'
  | 'created_after'
  | 'created_before'
  | 'updated_after'
>

/** The conditions of a filter that simple filters can express, and the others; null if there are none. */
export function plainPartOf(filter: Filter): { plain: Plain; rest: Filter | null } {
  const plain: Plain = {}
  const rest: Filter[] = []
  for (const node of conditionsOf(filter)) {
    const said = 'field' in node ? saidPlainly(node) : null
    if (said && Object.keys(said).every((name) => !(name in plain))) Object.assign(plain, said)
    else rest.push(node)
  }
  const [only, ...others] = rest
  if (only === undefined) return { plain, rest: null }
  return { plain, rest: others.length === 0 ? only : { all: rest } }
}

/** The conditions that all have to be met. */
const conditionsOf = (filter: Filter): Filter[] =>
  'all' in filter ? filter.all.flatMap(conditionsOf) : [filter]

/** A leaf as a simple filter; null if there is none that says the same. */
function saidPlainly({ field, op, values }: Leaf): Plain | null {
  const [value] = values as [string]
  if (field === 'status' && (op === 'is' || op === 'in')) return { status: [...new Set(values)] as Status[] }
  if (field === 'assignee_id' && op === 'exists' && values[0] === false) return { assignee_id: null }
  if (field === 'created_at' && op === 'gt') return { created_after: value as Instant }
  if (field === 'created_at' && op === 'lt') return { created_before: value as Instant }
  if (field === 'updated_at' && op === 'gt') return { updated_after: value as Instant }
  if (op !== 'is' && !(op === 'in' && values.length === 1)) return null
  if (field === 'waiting_on') return { waiting_on: value as WaitingOn }
  if (isPlainColumn(field)) return { [field]: value }
  return null
}

const plainColumns = [
  'priority',
  'channel',
  'initiated_by_side',
  'assignee_id',
  'department_id',
  'category_id',
] as const
const isPlainColumn = (field: string): field is (typeof plainColumns)[number] =>
  (plainColumns as readonly string[]).includes(field)

/** Simple filters as conditions of a tree. `q` is no condition on a field. */
export function leavesOfPlain({ q: _, ...filter }: Omit<ConversationFilter, 'filter'>): Leaf[] {
  const leaf = (
    field: keyof typeof conversationFieldTable,
    op: Leaf['op'],
    ...values: Leaf['values']
  ): Leaf => ({
    field,
    of: conversationFieldTable[field] as Field,
    op,
    values,
  })
  const { status, assignee_id, tag, created_after, created_before, updated_after, ...equal } = filter
  const { end_user_ids, ...columns } = equal
  return [
    ...(status ? [leaf('status', 'in', ...status)] : []),
    ...(assignee_id === null ? [leaf('assignee_id', 'exists', false)] : []),
    ...(assignee_id ? [leaf('assignee_id', 'is', assignee_id)] : []),
    ...(tag === undefined ? [] : [leaf('tags', 'contains', tag)]),
    ...(created_after ? [leaf('created_at', 'gt', created_after)] : []),
    ...(created_before ? [leaf('created_at', 'lt', created_before)] : []),
    ...(updated_after ? [leaf('updated_at', 'gt', updated_after)] : []),
    ...(end_user_ids ? [leaf('end_user_id', 'in', ...end_user_ids)] : []),
    ...Object.entries(columns).flatMap(([field, value]) =>
      value === undefined ? [] : [leaf(field as keyof typeof conversationFieldTable, 'is', value as string)],
    ),
  ]
}

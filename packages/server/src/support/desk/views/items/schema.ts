import { ApiError, type FieldError } from '../../../../platform/kernel/errors.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { maxFilterBytes } from '../../../../platform/lists/filter.ts'
import { FilterParameter } from '../../../../platform/lists/parameters.ts'
import {
  CommaSeparated,
  CommaSeparatedIds,
  Described,
  Enum,
  Flag,
  Id,
  Int,
  List,
  type Members,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  type TObject,
  type TSchema,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { endUserStatuses } from '../../../people/end-users/finding/fields.ts'
import { EndUserFilters } from '../../../people/end-users/schema.ts'
import { type Group, type Grouping, groupings } from '../../conversations/finding/groups.ts'
import { statuses } from '../../conversations/lifecycle.ts'
import { ConversationFilters } from '../../conversations/request-schema.ts'
import type { Broken } from '../filter.ts'
import { BrokenSchema } from '../schema.ts'

/** The filters of one list that the other one lacks. */
const membersOf = (one: TObject, other: TObject, plural: string): [string, TSchema][] =>
  Object.entries(one.properties)
    .filter(([name]) => !Object.hasOwn(other.properties, name))
    .map(([name, schema]) => {
      const { description } = schema as { description: string }
      return [name, Optional(Described(`${description} Only for views of ${plural}.`, schema))]
    })

const named = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')

/** The filters of both lists. Which of them a view takes depends on its `applies_to`. */
export const ItemFilters = Shape({
  ...Object.fromEntries(membersOf(EndUserFilters, ConversationFilters, 'end users')),
  ...Object.fromEntries(membersOf(ConversationFilters, EndUserFilters, 'conversations')),
  status: Optional(
    CommaSeparated([...statuses, ...endUserStatuses], {
      description: `Return only conversations with one of these statuses, comma-separated: ${named(statuses)}. Or only end users with this status: ${named(endUserStatuses)}.`,
      examples: ['new,open'],
    }),
  ),
  external_id: Optional(
    Text(1, 255, {
      description: 'Return only the conversation or end user with this `external_id`, an exact match.',
    }),
  ),
  filter: Optional(FilterParameter('items', { field: 'created_at', op: 'within', value: '-P7D' })),
  q: Optional(
    Text(1, 500, {
      description: 'Return only items that these words find in the list of conversations or of end users.',
    }),
  ),
})
export type ItemFilters = Readonly<Record<string, unknown>>

const fault = (parameter: string, detail: string): FieldError => ({ parameter, code: 'not_allowed', detail })

/** @throws ApiError `invalid_query` with the parameters that the list of the objects does not have */
function check(query: ItemFilters, list: TObject, plural: string, statusesOf: (status: string) => string[]) {
  const faults = Object.keys(query)
    .filter((name) => !Object.hasOwn(list.properties, name))
    .map((name) => fault(name, `is no filter of ${plural}`))
  const known: readonly string[] = list === ConversationFilters ? statuses : endUserStatuses
  const { status } = query as { status?: string }
  if (status !== undefined && !statusesOf(status).every((each) => known.includes(each)))
    faults.push(fault('status', `must be a status of ${plural}`))
  if (faults.length > 0) throw new ApiError('invalid_query', {}, { errors: faults })
}

/** The filters for the list of conversations. @throws ApiError `invalid_query` for those of the other list */
export function conversationPart(query: ItemFilters): ConversationFilters {
  check(query, ConversationFilters, 'conversations', (status) => status.split(','))
  return query as ConversationFilters
}

/** The filters for the list of end users. @throws ApiError `invalid_query` for those of the other list */
export function endUserPart(query: ItemFilters): Members<typeof EndUserFilters> {
  check(query, EndUserFilters, 'end users', (status) => [status])
  return query as Members<typeof EndUserFilters>
}

export const maxCounted = 50
export const maxNamedFilters = 20
/** Numbers are exact up to this one. */
export const maxCount = 1_000

export const CountedViews = Shape({
  ids: Optional(
    CommaSeparatedIds('view', maxCounted, {
      description: `The ids of the views, comma-separated, up to ${maxCounted}. By default, unless there are \`filters\`, all views that are not archived, by their position, without those that the request cannot count: views of objects that the key cannot read, and without \`Backline-Operator\` those with a condition on \`me\`.`,
      examples: ['view_01kah1vgm0e1tbm5ye8n2m9q7c'],
    }),
  ),
  filters: Optional(
    Text(1, maxFilterBytes, {
      description: `Filters of conversations to count as well, without saving them as views: a JSON object of up to ${maxNamedFilters} filters by their names, of 1 to 40 lower-case letters, digits and underscores, ${maxFilterBytes.toLocaleString('en')} bytes in total. Their counts come after those of the views, in the order given.`,
      examples: [JSON.stringify({ urgent: { field: 'priority', op: 'is', value: 'urgent' } })],
    }),
  ),
  group_by: Optional(
    Enum(groupings, {
      description:
        'Also count the conversations by their assignee or their department, in `groups` of each count.',
    }),
  ),
})

export type ViewCount = {
  /** Its place in the list. */
  place: SortKey
  /** One of both is null. */
  view_id: string | null
  name: string | null
  count: number | null
  more: boolean
  broken: Broken | null
  /** Undefined if the request has no grouping. */
  groups?: { by: Grouping; found: Group[] } | null | undefined
}

const group = {
  id: Nullable(Text(1, 31), {
    description: 'The id of the operator or department; null for conversations without one.',
  }),
  count: Int(0, 2147483647, { description: 'The number of conversations.' }),
  waiting_since: Nullable(Timestamp(), {
    description: 'The earliest `waiting_since` of these conversations; null if none waits.',
  }),
}

const prefixOf = { assignee_id: 'op', department_id: 'dept' } as const

const presentGroup = (by: Grouping, { id, ...rest }: Group) => ({
  id: id && typeId(prefixOf[by], id),
  ...rest,
})

const example = { object: 'view_count', view_id: 'view_01kah1vgm0e1tbm5ye8n2m9q7c', name: null }

export const viewCountWire = defineWire<ViewCount>({
  name: 'ViewCount',
  schema: Shape({
    object: Enum(['view_count']),
    view_id: Nullable(Id('view'), { description: 'The view; null for one of `filters`.' }),
    name: Nullable(Text(1, 40), { description: 'The name in `filters`; null for a view.' }),
    count: Nullable(Int(0, maxCount), {
      description: `The number of items, up to ${maxCount}; null for a broken view.`,
    }),
    more: Flag({
      description: 'Whether there are more items than that, or may be because counting took too long.',
    }),
    broken: Nullable(BrokenSchema, {
      description: 'What is wrong with the filter of the view; null if nothing is.',
    }),
    groups: Optional(
      Nullable(List(Shape(group, { title: 'ViewCountGroup' }), 2147483647), {
        description:
          'The conversations by their assignee or their department, each group with its exact number; only with `group_by`. Null for a broken view, a view of end users, or if counting took too long.',
      }),
    ),
  }),
  example: { ...example, count: 12, more: false, broken: null },
  present: ({ place: _, groups, ...count }) => ({
    object: 'view_count',
    ...count,
    ...(groups !== undefined && {
      groups: groups?.found.map((each) => presentGroup(groups.by, each)) ?? null,
    }),
  }),
})

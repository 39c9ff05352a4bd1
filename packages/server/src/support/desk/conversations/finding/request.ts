import { ApiError } from '../../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { dividedInto } from '../../../../platform/lists/checks.ts'
import type { At, Fields, Leaf } from '../../../../platform/lists/field.ts'
import { type Filter, leavesOf, noOperatorFor } from '../../../../platform/lists/filter.ts'
import type { FilterLimits } from '../../../../platform/lists/page.ts'
import { leafOf, leavesOfParameters } from '../../../../platform/lists/parameters.ts'
import { filterParameter } from '../../../../platform/lists/reading.ts'
import { type FilteredObjects, listRequest } from '../../../../platform/lists/request.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import type { ListRequest } from '../../../../platform/resource/resource.ts'
import { distinctiveQuery, searchQuery } from '../../../../platform/search/search-text.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { type Conversation, conversationTable } from '../queries.ts'
import type { ConversationFilters } from '../request-schema.ts'
import { conversationFields, conversationFieldTable } from './fields.ts'
import { type ConversationSort, orderOf, withPossibleStatuses } from './orders.ts'
import { walkOf } from './walks.ts'
import { type SearchLimits, searchRequest, wordsLeaf } from './words.ts'

type ConversationList = ListRequest<Conversation, ConversationSort>

/** The filter of a view, with the fields that exist now. */
export type Within = { filter: Filter; fields: Fields }

/**
 * The list of conversations that meet the parameters of a request, and a view if there is one.
 * @throws ApiError `invalid_query` with all faults of `filter`; `scope_missing`
 */
export async function requestedConversations(
  ctx: Ctx,
  { filter: text, q, assignee_id: assignee, follower_id: follower, unread, ...simple }: ConversationFilters,
  within?: Within,
): Promise<ConversationList> {
  const { db, env } = ctx
  const fields = async () => within?.fields ?? conversationFields(await definitionsOf(db, env.tenantId))
  const me = actingOperatorId(ctx)
  const trees = [
    ...(within ? [within.filter] : []),
    ...(text === undefined
      ? []
      : [filterParameter(text, { fields: await fields(), me }, ctx.principal.allows)]),
  ]
  const ofAssignee = assignee === undefined ? [] : [assigneeLeaf(ctx, assignee)]
  const ofFollower =
    follower === undefined
      ? []
      : [conversationLeaf('follower_ids', 'contains', operatorIn(ctx, 'follower_id', follower))]
  const ofUnread = unread ? [conversationLeaf('unread', 'is', operatorMeant(ctx, 'unread'))] : []
  const filter = {
    all: [
      ...trees,
      ...ofAssignee,
      ...ofFollower,
      ...ofUnread,
      ...leavesOfParameters(simple, conversationFieldTable, meanings),
    ],
  }
  const compared = trees.length === 0 ? null : trees.flatMap(leavesOf).map(({ values }) => values)
  return {
    ...conversationList(db, { tenantId: env.tenantId, now: ctx.now() }, filter, q),
    boundTo: assignee === 'me' || follower === 'me' || unread ? [me, compared] : compared,
  }
}

/** The conditions of parameters that have other names than their fields. */
const meanings = {
  status: ['status', 'in'],
  tag: ['tags', 'contains'],
  created_after: ['created_at', 'gt'],
  created_before: ['created_at', 'lt'],
  updated_after: ['updated_at', 'gt'],
} as const

function assigneeLeaf(ctx: Ctx, text: string): Leaf {
  if (text === 'none') return conversationLeaf('assignee_id', 'exists', false)
  return conversationLeaf('assignee_id', 'is', operatorIn(ctx, 'assignee_id', text))
}

/** The operator of a parameter, who may be `me`. */
const operatorIn = (ctx: Ctx, parameter: string, text: string): string =>
  text === 'me' ? operatorMeant(ctx, parameter) : uuidOf('op', text)!

export const conversationLeaf = (
  field: keyof typeof conversationFieldTable,
  op: Leaf['op'],
  ...values: Leaf['values']
): Leaf => leafOf(conversationFieldTable, field, op, ...values)

/** The operator of `Backline-Operator`, as a UUID. */
export const actingOperatorId = ({ principal }: Ctx): string | null => principal.viewerId

/**
 * The operator for whom a value of a parameter stands.
 * @throws ApiError `invalid_query` if there is none
 */
export function operatorMeant(ctx: Ctx, parameter: string, value = 'me'): string {
  const operatorId = actingOperatorId(ctx)
  if (operatorId !== null) return operatorId
  const fault = { parameter, code: 'not_allowed' as const, detail: noOperatorFor(value) }
  throw new ApiError('invalid_query', {}, { errors: [fault] })
}

const conversations: FilteredObjects<Conversation, ConversationSort> = {
  table: conversationTable,
  narrowed: withPossibleStatuses,
  orderOf,
  newestFirst: '-created_at',
  // In these orders, indexes have the conversations of each status.
  ordering: (sort) => (sort === 'sla_due_at' || sort.endsWith('created_at') ? ['status', 'waiting_on'] : []),
  together: ['status', 'assignee_id', 'unassigned', 'department_id'],
  reading: (checks, page, at) => ({ walk: walkOf(checks, page, at) }),
}

type Limits = { filters?: FilterLimits; search?: SearchLimits }

/** The list of conversations that meet a filter. @param q words that they have as well */
export function conversationList(
  db: Db,
  at: At,
  filter: Filter,
  q?: string,
  { filters, search }: Limits = {},
): ConversationList {
  if (q === undefined) return listRequest(db, at, conversations, filter, { limits: filters })
  const query = searchQuery(q)
  if (query === null) return { page: async () => [], count: async () => 0 }
  const { checks, others } = dividedInto(filter)
  return others.length === 0
    ? searchRequest(
        db,
        at,
        { query, distinctive: distinctiveQuery(q)! },
        withPossibleStatuses(checks),
        search,
      )
    : // Looking for words in each conversation is slow.
      listRequest(
        db,
        at,
        conversations,
        { all: [wordsLeaf(query), filter] },
        { limits: filters, isSlow: true },
      )
}

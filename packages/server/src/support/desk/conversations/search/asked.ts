import { parseInstant } from '../../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { conversationFilterIn, operatorMeant, valuesIn } from '../filters/reading.ts'
import type { Status } from '../lifecycle.ts'
import type { ConversationFilter } from '../lists/queries.ts'
import type { ConversationFilters } from '../request-schema.ts'

/** Null for `none`. */
const assigneeIn = (ctx: Ctx, text: string): string | null =>
  text === 'me' ? operatorMeant(ctx, 'assignee_id') : uuidOf('op', text)

/** The operator that `me` means and the values of the filter, to which a cursor is bound; null if there are none. */
export const meantBy = ({ assignee_id }: ConversationFilters, asked: ConversationFilter): unknown =>
  assignee_id === 'me' ? [asked.assignee_id, valuesIn(asked.filter)] : valuesIn(asked.filter)

/** Converts query parameters for queries: lists are split, times in UTC, ids are UUIDs. */
export async function conversationsAskedFor(
  ctx: Ctx,
  query: ConversationFilters,
): Promise<ConversationFilter> {
  const {
    filter,
    status,
    assignee_id,
    department_id,
    category_id,
    end_user_id,
    created_after,
    created_before,
    updated_after,
    ...rest
  } = query
  const instants = Object.entries({ created_after, created_before, updated_after }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, parseInstant(text)!]],
  )
  return {
    ...rest,
    ...Object.fromEntries(instants),
    ...(filter === undefined ? {} : { filter: await conversationFilterIn(ctx, filter) }),
    ...(status === undefined ? {} : { status: status.split(',') as Status[] }),
    ...(assignee_id === undefined ? {} : { assignee_id: assigneeIn(ctx, assignee_id) }),
    ...(end_user_id === undefined ? {} : { end_user_id: uuidOf('eu', end_user_id)! }),
    ...(department_id === undefined ? {} : { department_id: uuidOf('dept', department_id)! }),
    ...(category_id === undefined ? {} : { category_id: uuidOf('cat', category_id)! }),
  }
}

import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { isReadByAll, type ReadState, readStatesIn } from './queries.ts'

/** The parts of a conversation on which read states depend. */
export type ReadConversation = { id: string; message_count: number; closed_at: Instant | null }

/** The states of an operator in the conversations of a page, by conversation; read by one statement. */
export async function readStatesOf(
  db: Db,
  tenantId: string,
  operatorId: string,
  conversations: ReadConversation[],
  now: Instant,
): Promise<Map<string, ReadState>> {
  const open = conversations.filter((each) => each.message_count > 0 && !isReadByAll(each, now))
  const ids = open.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await readStatesIn(db, tenantId, operatorId, ids)
  return new Map([
    ...conversations.map((each) => [each.id, allReadIn(each, operatorId)] as const),
    ...found.map((state) => [state.conversation_id, state] as const),
  ])
}

/** The state of an operator who has read everything. */
export const allReadIn = ({ id, message_count }: ReadConversation, operatorId: string): ReadState => ({
  conversation_id: id,
  operator_id: operatorId,
  up_to_sequence: message_count,
  unread_count: 0,
})

import type { Instant } from '../../../platform/kernel/clock.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Filter } from '../../../platform/lists/filter.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../platform/tables/table.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { nextFound } from '../../desk/conversations/finding/next-found.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { inConversations, messagesInOrder } from '../../desk/messages/queries.ts'
import { type Family, type FamilyName, families } from './families.ts'

/** Some objects of a family, as JSON of the API. */
export type Some = { name: FamilyName; json: string[] }

/** Few enough that their JSON keeps this process busy for some milliseconds only. */
const together = 200

/**
 * Reads all objects of some families, a family after the other; messages with their conversations.
 * @param ctx reads a snapshot
 * @param now the time of the snapshot
 */
export async function* objectsOf(
  ctx: Ctx,
  names: FamilyName[],
  filter: Filter,
  now: Instant,
): AsyncGenerator<Some> {
  const jsonOf = (name: FamilyName, rows: object[]): Some => ({
    name,
    json: rows.map((row) => families[name].wire.json(row as never, now)),
  })
  for (const name of names) {
    if (name === 'conversations' || (name === 'messages' && !names.includes('conversations'))) {
      for await (const rows of conversationsOf(ctx, filter)) {
        if (name === 'conversations') yield jsonOf(name, rows)
        if (!names.includes('messages')) continue
        const ids = rows.map(({ id }) => id)
        for await (const messages of rowsOf(ctx, families.messages, [inConversations(ids)], messagesInOrder))
          yield jsonOf('messages', messages)
      }
    } else if (name !== 'messages') {
      for await (const rows of rowsOf(ctx, families[name])) yield jsonOf(name, rows)
    }
  }
}

async function* conversationsOf(ctx: Ctx, filter: Filter): AsyncGenerator<Conversation[]> {
  for (let after: SortKey | null = null; ; ) {
    const { rows, reached } = await nextFound(ctx, filter, { after, limit: together })
    if (rows.length > 0) yield rows
    if (reached === null) return
    after = reached
  }
}

async function* rowsOf(
  { db, env }: Ctx,
  { table }: Family,
  conditions: Sql[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  order: Order<any> = byCreation.created_at,
): AsyncGenerator<object[]> {
  for (let after: SortKey | null = null; ; ) {
    const page = { limit: together + 1, after, sort: '' }
    const found = await table.page(db, env.tenantId, conditions, order, page)
    const isWhole = Array.isArray(found)
    const rows: object[] = isWhole ? found.slice(0, together) : found.rows
    const hasMore = isWhole ? found.length > together : found.hasMore
    if (rows.length > 0) yield rows
    if (!hasMore) return
    after = order.key(rows.at(-1)! as never)
  }
}

/** All conversations. */
export const everything: Filter = { all: [] }

import type { Db } from '../postgres/database.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { unreadEvents } from './positions.ts'

/** The events that a consumer has not read: their number, up to 10,000, and the age of the oldest in milliseconds. */
export type Lag = { events: number; ms: number }

const mostEvents = 10_000

/**
 * Reads the lag of a consumer over all environments, by one index lookup per environment for the age.
 * @param unread tables with the environment as `e`, and as `news` the first unread events, at most that many for each
 */
export async function readLag(
  db: Pick<Db, 'rows'>,
  unread: (most: number) => Sql,
  realNowMs: number,
): Promise<Lag> {
  const [oldest] = await db.rows<{ ms: number }>(sql`select
      greatest(0, max(${realNowMs}::bigint + e.clock_offset_ms - extract(epoch from news.created_at) * 1000))::float8 as ms
    from ${unread(1)}`)
  if (!oldest?.ms) return { events: 0, ms: 0 }
  const [counted] = await db.rows<{ events: number }>(
    sql`select count(*) as events from (select 1 from ${unread(mostEvents)} limit ${mostEvents}) found`,
  )
  return { events: counted!.events, ms: oldest.ms }
}

/** The lag of a consumer that reads all events of all environments. */
export const lagOfAll = (db: Pick<Db, 'rows'>, consumer: string, realNowMs: number): Promise<Lag> =>
  readLag(db, (most) => unreadEvents(consumer, most), realNowMs)

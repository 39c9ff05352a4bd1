import type { Ctx } from '../../context.ts'
import type { Horizon } from '../../db/horizon.ts'
import { beginning, findFloor, justBefore, type Position, positionOf, toSortKey } from '../../db/positions.ts'
import type { SortKey } from '../../lib/page.ts'
import type { Streaming } from '../../resource.ts'
import { startOf } from './feed.ts'
import { type EventFilter, type EventRow, lastSettledEvent, passes, settledEvents } from './queries.ts'
import { eventWire } from './schema.ts'
import { openTail } from './tail.ts'

/** Quiet connections are closed by what stands between; after so long a comment is sent. The tail looks every 5 s. */
const quietMs = 10_000
const reconnectMs = 1_000
const patienceMs = 1_000
const pageSize = 100

/**
 * The feed as Server-Sent Events (WHATWG HTML section 9.2): each event with its cursor as `id`. What comes before an
 * event that does not pass the filter is told by an `id` without data, which browsers remember and do not dispatch.
 */
export async function* liveEvents(
  ctx: Ctx,
  filter: EventFilter,
  { after, cursorAt, signal }: Streaming,
): AsyncGenerator<string> {
  const { db, env, journal } = ctx
  // What was committed before a reader came is not news to it.
  const horizon = await (after ? journal!.settled() : journal!.caughtUp(patienceMs))
  /** Where the reader is: always the place of an event, since only these outlast a crash of the server. */
  let seen = await startOf(ctx, after ?? (await newestSettled(ctx, horizon)))
  /** From where to read on: nothing is between `seen` and this. */
  let at = after ? seen : justBefore(horizon)
  const gone = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const tail = await openTail(db, journal!, env)
  const idOf = (position: Position) => `id: ${cursorAt(toSortKey(position))}\n`
  try {
    yield `retry: ${reconnectMs}\n${idOf(seen)}: connected\n\n`
    let told = seen
    let toldAtMs = performance.now()
    while (!signal.aborted) {
      const atHand = tail.since(at)
      for (const row of atHand ?? (await furtherBack())) {
        at = seen = positionOf(row)
        if (!passes(filter, row)) continue
        told = seen
        toldAtMs = performance.now()
        yield `${idOf(seen)}data: ${eventWire.json(row)}\n\n`
      }
      if (performance.now() - toldAtMs > quietMs) {
        toldAtMs = performance.now()
        yield seen === told ? ': \n\n' : `${idOf(seen)}: \n\n`
        told = seen
        continue
      }
      if (atHand?.length === 0) await Promise.race([tail.more(), gone])
    }
  } finally {
    tail.close()
  }

  async function furtherBack(): Promise<EventRow[]> {
    const horizon = await journal!.settled()
    const { rows } = await settledEvents(db, env, at, horizon, pageSize)
    await startOf(ctx, toSortKey(at)) // and these have not had their time meanwhile
    if (rows.length === 0) at = justBefore(horizon)
    return rows
  }
}

async function newestSettled({ db, env }: Ctx, horizon: Horizon): Promise<SortKey> {
  const newest = await lastSettledEvent(db, env.tenantId, horizon)
  return toSortKey(newest ?? (await findFloor(db, env.tenantId)) ?? beginning)
}

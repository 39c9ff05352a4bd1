import type { Ctx } from '../../context.ts'
import { justBefore, positionOf, toSortKey } from '../../db/positions.ts'
import type { Streaming } from '../../resource.ts'
import { startOf } from './feed.ts'
import { type EventFilter, type EventRow, passes, settledEvents } from './queries.ts'
import { eventWire } from './schema.ts'
import { openTail } from './tail.ts'

/** Quiet connections are closed by what stands between; after so long a comment is sent. The tail looks every 5 s. */
const quietMs = 10_000
const reconnectMs = 1_000
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
  let at = await startOf(ctx, after ?? toSortKey(justBefore(await journal!.settled())))
  const gone = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const tail = await openTail(db, journal!, env)
  try {
    yield `retry: ${reconnectMs}\nid: ${cursorAt(toSortKey(at))}\n: connected\n\n`
    let told = at
    let toldAtMs = performance.now()
    while (!signal.aborted) {
      const rows = tail.since(at) ?? (await furtherBack())
      for (const row of rows) {
        at = positionOf(row)
        if (!passes(filter, row)) continue
        told = at
        toldAtMs = performance.now()
        yield `id: ${cursorAt(toSortKey(at))}\ndata: ${eventWire.json(row)}\n\n`
      }
      if (rows.length > 0) continue
      if (performance.now() - toldAtMs > quietMs) {
        toldAtMs = performance.now()
        yield at === told ? ': \n\n' : `id: ${cursorAt(toSortKey(at))}\n: \n\n`
        told = at
        continue
      }
      await Promise.race([tail.more(), gone])
    }
  } finally {
    tail.close()
  }

  async function furtherBack(): Promise<EventRow[]> {
    const horizon = await journal!.settled()
    const rows = await settledEvents(db, env, at, horizon, pageSize)
    if (rows.length === 0) at = justBefore(horizon)
    return rows
  }
}

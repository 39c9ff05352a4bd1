import type { Horizon } from '../../../platform/journal/horizon.ts'
import type { JournalReader } from '../../../platform/journal/journal-reader.ts'
import {
  beginning,
  findFloor,
  justBefore,
  type Position,
  positionOf,
  toSortKey,
} from '../../../platform/journal/positions.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Live, Reader, Resuming } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { startOf } from './feed.ts'
import { type EventFilter, type EventRow, lastSettledEvent, passes, settledEvents } from './queries.ts'
import { eventWire } from './schema.ts'
import { openTail, type Tail } from './tail.ts'

/** Proxies close idle connections: a comment is sent after this time. */
const quietMs = 10_000
const reconnectMs = 1_000
const patienceMs = 1_000
const pageSize = 100

/**
 * The feed as Server-Sent Events (WHATWG HTML section 9.2), each event with its cursor as `id`. Positions of events
 * that the filter omits are sent as an `id` without data, which browsers store and do not dispatch.
 */
export async function liveEvents(
  ctx: Ctx,
  filter: EventFilter,
  { after, cursorAt }: Resuming,
  reader: Reader,
): Promise<Live> {
  const { db, env } = ctx
  const { journal } = ctx.services
  // A new stream omits events that were committed before it.
  const horizon = await (after ? journal.settled() : journal.caughtUp(patienceMs))
  const seen = await startOf(ctx, after ?? (await newestSettled(ctx, horizon)))
  const events = new LiveEvents({ db, env, journal: journal }, filter, cursorAt, reader, seen)
  await events.open(after ? seen : justBefore(horizon))
  return events
}

type Source = Pick<Ctx, 'db' | 'env'> & { journal: JournalReader }

/** The events for one reader. Thousands may be idle, so each holds little more than its position. */
class LiveEvents implements Live {
  readonly #source: Source
  readonly #filter: EventFilter
  readonly #cursorAt: Resuming['cursorAt']
  readonly #reader: Reader
  #tail: Tail | null = null
  /** The reader's position: always that of an event, because only these survive a crash of the server. */
  #seen: Position
  /** The position to read from; there is no event between `#seen` and this. */
  #at: Position
  /** The last position that was sent, and its time. */
  #told: Position
  #toldAtMs = performance.now()
  /** True until the reader has read what was sent, and before anything may be sent. */
  #isWaiting = true
  #isReading = false
  #isClosed = false

  constructor(
    source: Source,
    filter: EventFilter,
    cursorAt: Resuming['cursorAt'],
    reader: Reader,
    seen: Position,
  ) {
    this.#source = source
    this.#filter = filter
    this.#cursorAt = cursorAt
    this.#reader = reader
    this.#seen = this.#at = this.#told = seen
  }

  async open(at: Position): Promise<void> {
    const { db, env, journal } = this.#source
    this.#at = at
    this.#tail = await openTail(db, journal, env, this)
    if (this.#isClosed) this.#tail.leave(this)
  }

  start(): void {
    this.#isWaiting = false
    this.#send(`retry: ${reconnectMs}\n${this.#idOf(this.#seen)}: connected\n\n`)
    this.onMore()
  }

  resume(): void {
    this.#isWaiting = false
    this.onMore()
  }

  onMore(): void {
    if (this.#isWaiting || this.#isReading || this.#isClosed) return
    try {
      const rows = this.#tail!.since(this.#at)
      if (rows) this.#sendAll(rows)
      else void this.#readFurtherBack()
    } catch {
      this.#end()
    }
  }

  tick(nowMs: number): void {
    if (nowMs - this.#toldAtMs < quietMs || this.#isWaiting) return
    this.#send(this.#seen === this.#told ? ': \n\n' : `${this.#idOf(this.#seen)}: \n\n`)
    this.#told = this.#seen
  }

  close(): void {
    this.#isClosed = true
    this.#tail?.leave(this)
  }

  #sendAll(rows: EventRow[]): void {
    for (const row of rows) {
      if (this.#isWaiting) return
      this.#at = this.#seen = positionOf(row)
      if (!passes(this.#filter, row)) continue
      this.#told = this.#seen
      this.#send(`${this.#idOf(this.#seen)}data: ${eventWire.json(row)}\n\n`)
    }
  }

  async #readFurtherBack(): Promise<void> {
    const { db, env, journal } = this.#source
    this.#isReading = true
    try {
      while (!this.#isWaiting && !this.#isClosed && this.#tail!.since(this.#at) === null) {
        const horizon = await journal.settled()
        const { rows } = await settledEvents(db, env, this.#at, horizon, pageSize)
        await startOf(this.#source, toSortKey(this.#at)) // these have not expired meanwhile
        if (rows.length === 0) this.#at = justBefore(horizon)
        else if (!this.#isClosed) this.#sendAll(rows)
      }
    } catch {
      this.#end()
    }
    this.#isReading = false
    this.onMore()
  }

  #send(text: string): void {
    this.#toldAtMs = performance.now()
    if (!this.#reader.send(text)) this.#isWaiting = true
  }

  /** The reader reconnects and continues from its last position. */
  #end(): void {
    this.#isClosed = true
    this.#reader.end()
  }

  #idOf(position: Position): string {
    return `id: ${this.#cursorAt(toSortKey(position))}\n`
  }
}

async function newestSettled({ db, env }: Ctx, horizon: Horizon): Promise<SortKey> {
  const newest = await lastSettledEvent(db, env.tenantId, horizon)
  return toSortKey(newest ?? (await findFloor(db, env.tenantId)) ?? beginning)
}

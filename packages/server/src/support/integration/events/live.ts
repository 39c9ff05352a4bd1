import type { Ephemeral, EphemeralEvent } from '../../../platform/journal/ephemeral.ts'
import { endOfJournal } from '../../../platform/journal/heads.ts'
import { type Position, positionOf, toSortKey } from '../../../platform/journal/positions.ts'
import type { Live, Reader, Resuming } from '../../../platform/resource/streams.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { CountHints, changesOwnCounts, countsScope, mayChangeCounts } from './count-hints.ts'
import { startOf } from './feed.ts'
import { type EventFilter, type EventRow, eventsAfter, passes } from './queries.ts'
import { eventWire } from './schema.ts'
import { openTail, type Tail } from './tail.ts'

/** Proxies close idle connections: a comment is sent after this time. */
const quietMs = 10_000
const reconnectMs = 1_000
const largestPage = 100

/**
 * The feed as Server-Sent Events (WHATWG HTML section 9.2), each event with its cursor as `id`. Positions of events
 * that the filter omits are sent as an `id` without data, which browsers store and do not dispatch.
 * @param withEphemeral true: also ephemeral events, without an `id`
 */
export async function liveEvents(
  ctx: Ctx,
  filter: EventFilter,
  { after, cursorAt }: Resuming,
  reader: Reader,
  withEphemeral = false,
): Promise<Live> {
  const { db, env, services, now, principal } = ctx
  // A new stream omits events that were committed before it.
  const from = await startOf(ctx, after ?? toSortKey(await endOfJournal(db, env.tenantId)))
  const events = new LiveEvents({ db, env, services, now, principal }, filter, cursorAt, reader, from)
  const mayCount = withEphemeral && principal.allows(countsScope)
  await events.open(withEphemeral ? services.ephemeral : null, mayCount)
  return events
}

type Source = Pick<Ctx, 'db' | 'env' | 'services' | 'now' | 'principal'>

/** The events for one reader. Thousands may be idle, so each holds little more than its position. */
class LiveEvents implements Live {
  readonly #source: Source
  readonly #filter: EventFilter
  readonly #cursorAt: Resuming['cursorAt']
  readonly #reader: Reader
  #tail: Tail | null = null
  /** The reader's position. */
  #at: Position
  /** The last position that was sent, and its time. */
  #told: Position
  #toldAtMs = performance.now()
  /** True until the reader has read what was sent, and before anything may be sent. */
  #isWaiting = true
  #isReading = false
  /** The size of the next page: about what the reader takes at once, so that few rows are read in vain. */
  #pageSize = largestPage
  #isClosed = false
  #leaveEphemeral: (() => void) | null = null
  #hints: CountHints | null = null

  constructor(
    source: Source,
    filter: EventFilter,
    cursorAt: Resuming['cursorAt'],
    reader: Reader,
    from: Position,
  ) {
    this.#source = source
    this.#filter = filter
    this.#cursorAt = cursorAt
    this.#reader = reader
    this.#at = this.#told = from
  }

  async open(ephemeral: Ephemeral | null, mayCount: boolean): Promise<void> {
    const { db, env, services } = this.#source
    if (mayCount) this.#hints = new CountHints((text) => this.#sendEphemeral(text), this.#cursorAt)
    this.#tail = await openTail(db, services, env, this)
    if (this.#isClosed) this.#tail.leave(this)
    else if (ephemeral) this.#leaveEphemeral = ephemeral.on(env.tenantId, (event) => this.#onEphemeral(event))
  }

  start(): void {
    this.#isWaiting = false
    this.#send(`retry: ${reconnectMs}\n${this.#idOf(this.#at)}: connected\n\n`)
    this.onMore()
  }

  resume(): void {
    this.#isWaiting = false
    this.onMore()
    this.#hints?.resume()
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
    this.#send(this.#at === this.#told ? ': \n\n' : `${this.#idOf(this.#at)}: \n\n`)
    this.#told = this.#at
  }

  close(): void {
    this.#isClosed = true
    this.#leaveEphemeral?.()
    this.#hints?.close()
    this.#tail?.leave(this)
  }

  /** A reader that has not read what was sent misses it. */
  #onEphemeral(event: EphemeralEvent): void {
    const { streamId, name, data, to } = event
    const { streamId: only, resourceId } = this.#filter
    const { viewerId, allows } = this.#source.principal
    if (to && (to.viewerId !== viewerId || !allows(to.scope))) return
    if ((only !== null && only !== streamId) || (resourceId !== null && resourceId !== streamId)) return
    this.#sendEphemeral(`event: ${name}\ndata: ${data}\n\n`)
    if (changesOwnCounts(event)) this.#hints?.note(this.#source.now(), this.#at)
  }

  /** Returns false if the reader misses it. */
  #sendEphemeral(text: string): boolean {
    if (this.#isWaiting || this.#isClosed) return false
    if (!this.#reader.send(text)) this.#isWaiting = true
    return true
  }

  /** Returns the number of rows that the reader is past. */
  #sendAll(rows: EventRow[]): number {
    for (const [i, row] of rows.entries()) {
      if (this.#isWaiting) return i
      this.#at = positionOf(row)
      if (passes(this.#filter, row)) {
        this.#told = this.#at
        this.#send(`${this.#idOf(this.#at)}data: ${eventWire.json(row)}\n\n`)
      }
      if (this.#hints) this.#noteChange(this.#hints, row)
    }
    return rows.length
  }

  /** A stream about one resource is told of changes there. */
  #noteChange(hints: CountHints, row: EventRow): void {
    const { streamId, resourceId } = this.#filter
    if (
      (streamId !== null && streamId !== row.stream_id) ||
      (resourceId !== null && resourceId !== row.resource_id)
    )
      return
    if (mayChangeCounts(row)) hints.note(row.created_at, this.#at)
  }

  async #readFurtherBack(): Promise<void> {
    const { db, env } = this.#source
    this.#isReading = true
    try {
      while (!this.#isWaiting && !this.#isClosed && this.#tail!.since(this.#at) === null) {
        const { rows } = await eventsAfter(db, env, this.#at, this.#pageSize)
        await startOf(this.#source, toSortKey(this.#at)) // these have not expired meanwhile
        if (this.#isClosed) break
        const sent = this.#sendAll(rows)
        this.#pageSize = Math.min(2 * Math.max(sent, 1), largestPage)
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

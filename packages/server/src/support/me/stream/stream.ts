import { endOfJournal } from '../../../platform/journal/heads.ts'
import {
  isBefore,
  laterOf,
  type Position,
  positionOf,
  toSortKey,
} from '../../../platform/journal/positions.ts'
import { unavailable } from '../../../platform/kernel/errors.ts'
import type { Live, Reader, Resuming } from '../../../platform/resource/streams.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { startOf } from '../../integration/events/feed.ts'
import { tokenHolderOf } from '../../vocabulary/principal.ts'
import { type Fact, factOf } from './facts.ts'
import { type Hub, type HubSource, hubOf } from './hub.ts'
import type { PersonStream, StreamingPerson } from './people.ts'
import { historyOf } from './queries.ts'
import { jsonFor, render } from './rendering.ts'

/** Proxies close idle connections: a comment is sent after this time. */
const quietMs = 10_000
const reconnectMs = 1_000
const largestPage = 50
/** The number of events that are kept for a stream that still reads older ones. */
const maxKept = 200

/** The stream of an end user, which goes on after `after`, or begins with the events from now on. */
export async function openMeStream(
  ctx: Ctx,
  { after, cursorAt }: Resuming,
  reader: Reader,
): Promise<MeStream> {
  const { db, env, services } = ctx
  const { id, sessionId, conversationId } = tokenHolderOf(ctx)!
  // A new stream omits events that were committed before it.
  const from = after ? await startOf(ctx, after) : await endOfJournal(db, env.tenantId)
  const hub = await openHub({ db, env, services })
  const stream = new MeStream(hub, sessionId, conversationId, cursorAt, reader, from)
  await hub.enter(stream, id).catch((error) => {
    hub.leave(stream)
    throw error
  })
  return stream
}

/** A hub that was closed with its last stream meanwhile is replaced. */
async function openHub(source: HubSource): Promise<Hub> {
  for (let attempts = 3; attempts > 0; attempts--) {
    const hub = await hubOf(source)
    if (!hub.isOver) return hub
  }
  throw unavailable('overloaded')
}

type Kept = { fact: Fact; json: string }

/** The events for one reader. Thousands may be idle, so each holds little more than its position and its person. */
export class MeStream implements Live, PersonStream {
  person!: StreamingPerson
  readonly sessionId: string
  readonly #hub: Hub
  readonly #only: string | null
  readonly #cursorAt: Resuming['cursorAt']
  readonly #reader: Reader
  /** `waiting` for the reader, `catching` up with the hub, or `live`. */
  #state: 'waiting' | 'catching' | 'live' | 'closed' = 'waiting'
  /** The reader's position. While it is live, events up to it are omitted. */
  #at: Position
  /** Events that came while the stream reads older ones; null if they were too many. */
  #kept: Kept[] | null = null
  /** The size of the next page of older events: about what the reader takes at once. */
  #pageSize = largestPage
  /** The last position that was sent, and its time. */
  #told: Position | null = null
  #toldAtMs = 0

  constructor(
    hub: Hub,
    sessionId: string,
    only: string | null,
    cursorAt: Resuming['cursorAt'],
    reader: Reader,
    from: Position,
  ) {
    this.#hub = hub
    this.sessionId = sessionId
    this.#only = only
    this.#cursorAt = cursorAt
    this.#reader = reader
    this.#at = from
  }

  start(): void {
    if (this.#hub.isOver) this.end()
    this.#hub.betweenEvents(() => {
      if (this.#state === 'closed') return
      this.#state = 'live'
      this.#told = this.#at
      if (this.#send(`retry: ${reconnectMs}\n${this.#idOf(this.#at)}: connected\n\n`)) this.#catchUp()
    })
  }

  resume(): void {
    if (this.#state === 'waiting') this.#hub.betweenEvents(() => this.#catchUp())
  }

  tick(nowMs: number): void {
    if (this.#state !== 'live' || nowMs - this.#toldAtMs < quietMs) return
    const { at } = this.#hub
    const isNew = this.#told === null || isBefore(this.#told, at)
    this.#told = at
    this.#at = laterOf(at, this.#at)
    this.#send(isNew ? `${this.#idOf(at)}: \n\n` : ': \n\n')
  }

  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#kept = null
    this.#hub.leave(this)
  }

  /** The reader reconnects and continues from its last position. */
  end(): void {
    this.#reader.end()
  }

  onFact(fact: Fact, json: string): void {
    if (this.#only !== null && this.#only !== fact.conversationId) return
    if (this.#state === 'live') {
      if (isBefore(this.#at, fact.position)) this.#sendFact(fact, json)
    } else if (this.#kept && this.#kept.push({ fact, json }) > maxKept) this.#kept = null
  }

  /** A reader that has not read what was sent misses it. */
  onTyping(conversationId: string, data: string): void {
    if (this.#state !== 'live' || (this.#only !== null && this.#only !== conversationId)) return
    const at = laterOf(this.#hub.at, this.#told)
    if (!this.#send(`event: typing\ndata: ${data}\n\n`)) this.#at = at
  }

  /** Called between events: what the hub sends from now on is kept until the older events are sent. */
  #catchUp(): void {
    if (this.#state === 'closed') return
    const end = this.#hub.at
    if (!isBefore(this.#at, end)) {
      this.#state = 'live'
      return
    }
    this.#state = 'catching'
    this.#kept = []
    this.#readUpTo(end).catch(() => this.end())
  }

  async #readUpTo(end: Position): Promise<void> {
    const release = await this.#hub.readers.acquire('', Number.POSITIVE_INFINITY)
    try {
      let hasMore = true
      while (hasMore && this.#state === 'catching') hasMore = await this.#readPage(end)
    } finally {
      release?.()
    }
    if (this.#state !== 'catching') return
    this.#at = end
    const kept = this.#kept
    this.#kept = null
    if (kept === null) return this.#hub.betweenEvents(() => this.#catchUp())
    this.#state = 'live'
    for (const { fact, json } of kept) if (this.#isLive()) this.#sendFact(fact, json)
  }

  /** A comparison with the field would assume that nothing has changed it meanwhile. */
  #isLive = (): boolean => this.#state === 'live'

  /** Sends the next older events; returns false if they were the last ones. */
  async #readPage(end: Position): Promise<boolean> {
    const { db, env } = this.#hub.source
    const { ids } = this.person
    const from = this.#at
    const whose = { ids: [...ids], only: this.#only }
    const size = this.#pageSize
    const rows = await historyOf(db, env.tenantId, whose, { from, end }, size)
    await startOf({ db, env }, toSortKey(from)) // these have not expired meanwhile
    const facts = rows.flatMap((row) => factOf(row) ?? [])
    const mine = facts.filter(({ onlyFor }) => onlyFor === null || onlyFor.some((id) => ids.has(id)))
    const rendered = await render(this.#hub.source, mine)
    for (const fact of mine) {
      const json = jsonFor(rendered.get(fact), ids)
      if (this.#state === 'catching' && json !== null) this.#sendFact(fact, json)
    }
    const last = rows.at(-1)
    if (last && this.#state === 'catching') this.#at = positionOf(last)
    const passed = rows.filter((row) => !isBefore(this.#at, positionOf(row))).length
    this.#pageSize = Math.min(2 * Math.max(passed, 1), largestPage)
    return rows.length === size
  }

  #sendFact({ position, type }: Fact, json: string): void {
    this.#at = this.#told = position
    this.#send(`${this.#idOf(position)}event: ${type}\ndata: ${json}\n\n`)
  }

  /** Returns false if the reader is slower: it goes on from its position once it has read. */
  #send(text: string): boolean {
    this.#toldAtMs = performance.now()
    if (this.#reader.send(text)) return true
    if (this.#state !== 'closed') this.#state = 'waiting'
    this.#kept = null
    return false
  }

  #idOf(position: Position): string {
    return `id: ${this.#cursorAt(toSortKey(position))}\n`
  }
}

import { LRUCache } from 'lru-cache'
import { endOfJournal } from '../../../platform/journal/heads.ts'
import { type Position, positionOf } from '../../../platform/journal/positions.ts'
import type { Expiring, Signal } from '../../../platform/journal/signals.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { openSemaphore } from '../../../platform/kernel/semaphore.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Services } from '../../../platform/unit-of-work/context.ts'
import type { Person } from '../../desk/conversations/lifecycle.ts'
import { type EventRow, eventsAfter } from '../../integration/events/queries.ts'
import { openTail, type Tail } from '../../integration/events/tail.ts'
import { idsOfEndUser } from '../../people/end-users/queries.ts'
import { audienceIn, type Fact, factOf, targetIn } from './facts.ts'
import { type PersonStream, StreamingPeople, type StreamingPerson } from './people.ts'
import { audiencesOf } from './queries.ts'
import { jsonFor, type Rendered, render } from './rendering.ts'

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    /** The hubs of streams of end users, by environment. */
    hubs: Map<string, Promise<Hub>>
  }
}

/** The number of events that are read and sent together. */
const together = 200
/** The number of conversations whose audience is remembered. */
const maxAudiences = 20_000

export type HubSource = { db: Db; env: Environment; services: Services }

/**
 * Distributes the events of an environment to the streams of end users in this process. It reads the journal once, and
 * each object that anybody sees once; streams that are idle cost no query.
 */
export class Hub {
  readonly source: HubSource
  readonly people = new StreamingPeople()
  /** The slots of streams that read further back. */
  readonly readers = openSemaphore({ limit: 3 })
  /** The ids of the end users who may see a conversation, kept current by the events of the journal. */
  readonly #audiences = new LRUCache<string, string[]>({ max: maxAudiences })
  readonly #forget: () => void
  #tail: Tail | null = null
  #leaveTyping: () => void = () => undefined
  /** All events up to this position were sent. */
  #at: Position
  #isSending = false
  #isOver = false
  /** Called as soon as no event is being sent. */
  #betweenEvents: (() => void)[] = []

  private constructor(source: HubSource, at: Position, forget: () => void) {
    this.source = source
    this.#at = at
    this.#forget = forget
  }

  static async open(source: HubSource, forget: () => void): Promise<Hub> {
    const { db, env, services } = source
    const hub = new Hub(source, await endOfJournal(db, env.tenantId), forget)
    hub.#tail = await openTail(db, services, env, hub)
    hub.#leaveTyping = services.typing.on(env.tenantId, (typing) => void hub.#onTyping(typing))
    hub.onMore() // events that were committed meanwhile
    return hub
  }

  get at(): Position {
    return this.#at
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls a function at a moment when all streams have the same events: those up to `at`. */
  betweenEvents(call: () => void): void {
    if (this.#isSending) this.#betweenEvents.push(call)
    else call()
  }

  /** Adds a stream of the person with this id. */
  async enter(stream: PersonStream, endUserId: string): Promise<void> {
    stream.person = this.people.of(endUserId)
    stream.person.streams.add(stream)
    await this.#learnIds(endUserId)
  }

  leave(stream: PersonStream): void {
    this.people.leave(stream)
    if (this.people.isEmpty) this.#end()
  }

  onMore(): void {
    if (!this.#isSending && !this.#isOver) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    try {
      for (;;) {
        const { db, env } = this.source
        const rows =
          this.#tail!.since(this.#at)?.slice(0, together) ??
          (await eventsAfter(db, env, this.#at, together)).rows
        if (rows.length === 0 || this.#isOver) break
        await this.#send(rows)
        this.#at = positionOf(rows.at(-1)!)
        this.#callBetweenEvents()
      }
    } catch {
      this.#end() // the database is unavailable: readers reconnect and continue
    }
    this.#isSending = false
    this.#callBetweenEvents()
  }

  #callBetweenEvents(): void {
    const calls = this.#betweenEvents
    this.#betweenEvents = []
    for (const call of calls) call()
  }

  async #send(rows: EventRow[]): Promise<void> {
    for (const { type, resource_id, object } of rows) {
      if (type === 'end_user.merged') await this.#onMerge(resource_id, object)
      if (type === 'end_user_session.revoked') this.#onRevoked(resource_id, object)
    }
    for (const { resource_type, resource_id, object } of rows)
      if (resource_type === 'conversation') this.#audiences.set(resource_id, audienceIn(object))
    const facts = rows.flatMap((row) => factOf(row) ?? [])
    await this.#learnAudiences(facts.map(({ conversationId }) => conversationId))
    const watched = facts.filter((fact) => this.#watchers(fact).size > 0)
    if (watched.length === 0) return
    const rendered = await render(this.source, watched)
    for (const fact of watched) await this.#relearn(fact, rendered.get(fact)!)
    // From here on without waiting, so that a stream that enters meanwhile misses nothing.
    for (const fact of watched)
      for (const person of this.#watchers(fact)) {
        const json = jsonFor(rendered.get(fact), person.ids)
        if (json !== null) for (const stream of person.streams) stream.onFact(fact, json)
      }
  }

  async #onMerge(sourceId: string, object: string): Promise<void> {
    const targetId = targetIn(object)
    const id = this.people.find(sourceId) ? sourceId : targetId
    if (id !== null && this.people.find(id)) await this.#learnIds(id)
  }

  #onRevoked(sessionId: string, object: string): void {
    for (const { streams } of this.people.among(audienceIn(object)))
      for (const stream of [...streams]) if (stream.sessionId === sessionId) stream.end()
  }

  #watchers({ conversationId, onlyFor }: Fact): Set<StreamingPerson> {
    return this.people.among(onlyFor ?? this.#audiences.get(conversationId) ?? [])
  }

  /** The objects know of a merge before its event is read. */
  async #relearn(fact: Fact, rendered: Rendered | null): Promise<void> {
    if (rendered === null) return
    for (const person of this.#watchers(fact)) {
      const [id] = person.ids
      if (id && !rendered.isFor((id) => person.ids.has(id))) await this.#learnIds(id)
    }
  }

  async #learnIds(id: string): Promise<void> {
    const { db, env } = this.source
    const ids = await idsOfEndUser(db, env.tenantId, id)
    const person = this.people.find(id)
    if (person) this.people.unite(person, ids)
  }

  async #learnAudiences(conversationIds: string[]): Promise<void> {
    const { db, env } = this.source
    const unknown = [...new Set(conversationIds)].filter((id) => !this.#audiences.has(id))
    if (unknown.length === 0) return
    for (const { id, ids } of await audiencesOf(db, env.tenantId, unknown))
      this.#audiences.set(
        id,
        ids.filter((id) => id !== null),
      )
  }

  async #onTyping(signal: Expiring<Signal<Person, boolean>>): Promise<void> {
    const { streamId: conversationId, subject: side, state: typing, expiresAt } = signal
    await this.#learnAudiences([conversationId]).catch(() => undefined)
    const ids = this.#audiences.get(conversationId) ?? []
    if (side === 'end_user' && ids.length < 2) return // nobody else would see it
    const data = JSON.stringify({
      conversation_id: typeId('conv', conversationId),
      side,
      typing,
      expires_at: expiresAt,
    })
    for (const { streams } of this.people.among(ids))
      for (const stream of streams) stream.onTyping(conversationId, data)
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#forget()
    this.#leaveTyping()
    this.#tail?.leave(this)
    for (const stream of [...this.people.streams()]) stream.end()
    this.readers.close()
  }
}

/** The hub of an environment in this process, opened with its first stream and closed with its last one. */
export function hubOf(source: HubSource): Promise<Hub> {
  const { hubs } = source.services
  const { tenantId } = source.env
  const open = hubs.get(tenantId)
  if (open) return open
  const forget = () => {
    if (hubs.get(tenantId) === opening) hubs.delete(tenantId)
  }
  const opening: Promise<Hub> = Hub.open(source, forget)
  opening.catch(forget)
  hubs.set(tenantId, opening)
  return opening
}

import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Leases } from '../../../../platform/jobs/leases.ts'
import type { Position } from '../../../../platform/journal/positions.ts'
import { type Instant, toInstant } from '../../../../platform/kernel/clock.ts'
import type { Environment } from '../../../../platform/kernel/environment.ts'
import type { SecretBox } from '../../../../platform/kernel/secret-box.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { eventsAt } from '../../events/queries.ts'
import { eventWire } from '../../events/schema.ts'
import { interrupted } from '../transport/failures.ts'
import { crowded } from '../transport/name-sharing.ts'
import type { Answer, OutgoingRequest, Transport } from '../transport.ts'
import { fateOf, outcomeOf, requestOf } from './attempt.ts'
import { EndpointQueue } from './endpoint-queue.ts'
import type { Observe } from './observing.ts'
import { type Place, type Places, placeLimits, type Share } from './places.ts'
import { type Destination, type DueDelivery, dueDeliveries, firstWanted } from './queries.ts'
import { type Ended, type RecordingDeps, record } from './recording.ts'
import { whenAsked } from './when-asked.ts'

export type QueueDeps = RecordingDeps & {
  log: Logger
  leases: Leases
  places: Places
  transport: Transport
  secretBox: SecretBox
  observe: Observe
  /** The pauses of the retry schedule, in seconds. */
  retrySeconds: readonly number[]
}

/** An event as it is sent, with the id of the request that caused it. */
type Outgoing = { text: string; requestId: string | null }

/** A delivery whose attempt has a place. */
type Chosen = { endpoint: EndpointQueue; delivery: DueDelivery; place: Place }

/** The pause between two reads, so that commits in quick succession share one. */
const restMs = 10
/** The number of events that are read at once, and of attempts that begin before other work has its turn. */
const readAtOnce = 64
const begunAtOnce = 8
const recordedAtOnce = 500
/** The pause after a failure of the database. */
const againMs = 500

/** Finds the due deliveries of one environment, sends them, and records the outcomes. */
export class EnvironmentQueue {
  readonly #deps: QueueDeps
  readonly #tenantId: string
  readonly #stopping: AbortSignal
  readonly #share: Share
  readonly #endpoints = new Map<string, EndpointQueue>()
  /** The endpoints to which a delivery can be sent now, in the order of their turns. */
  readonly #ready = new Set<EndpointQueue>()
  #env: Environment | null = null
  #underWay = 0
  #hasChanged = false
  readonly #ended: Ended[] = []
  readonly #looking = whenAsked(() => this.#look())
  readonly #sending = whenAsked(() => this.#send())
  readonly #recording = whenAsked(() => this.#record())

  /** @param stopping no further attempt begins once it is aborted */
  constructor(deps: QueueDeps, tenantId: string, stopping: AbortSignal) {
    this.#deps = deps
    this.#tenantId = tenantId
    this.#stopping = stopping
    this.#share = deps.places.share(() => this.#sending.ask())
  }

  /**
   * Checks for due deliveries soon.
   * @param hasChanged true if deliveries in progress may be due once more, by a retry of a client
   */
  look(hasChanged = false): void {
    if (hasChanged) this.#hasChanged = true
    this.#looking.ask()
  }

  /** True if no endpoint was enabled at the last check. */
  get hasNoEndpoint(): boolean {
    return this.#endpoints.size === 0
  }

  get isIdle(): boolean {
    const isBusy = this.#looking.isRunning || this.#sending.isRunning || this.#recording.isRunning
    return this.#underWay === 0 && !isBusy
  }

  /** Resolves when no attempt is in progress and all are recorded. */
  async drained(): Promise<void> {
    while (!this.isIdle) await sleep(20)
  }

  get #db(): Db {
    return this.#deps.db.home(this.#tenantId)
  }

  #now(): Instant {
    return toInstant(this.#deps.clock() + (this.#env?.clockOffsetMs ?? 0))
  }

  #failed(error: unknown, step: string): void {
    this.#deps.loop.failed(error, { tenant_id: this.#tenantId, step })
  }

  async #look(): Promise<void> {
    if (this.#stopping.aborted) return
    try {
      await this.#find()
    } catch (error) {
      this.#failed(error, 'loading due deliveries')
    }
    this.#sending.ask()
    await sleep(restMs, undefined, { ref: false })
  }

  /** Reads the enabled endpoints and due deliveries if this process holds the lease of the environment. */
  async #find(): Promise<void> {
    const isOurs = await this.#deps.leases.hold(this.#tenantId)
    const asked = [...this.#endpoints.values()].map(({ id, wanted, known }) => ({ id, wanted, known }))
    const idle = new Set([...this.#endpoints.values()].filter(({ isIdle }) => isIdle))
    const found = isOurs ? await dueDeliveries(this.#db, this.#tenantId, this.#deps.clock(), asked) : null
    this.#env = found?.env ?? this.#env
    const served = found?.served ?? []
    const enabled = new Set(served.map(({ destination }) => destination.id))
    for (const [id, endpoint] of this.#endpoints) {
      if (enabled.has(id)) continue
      endpoint.clear()
      this.#ready.delete(endpoint)
      if (endpoint.isIdle) this.#endpoints.delete(id)
    }
    const wanted = new Map(asked.map((each) => [each.id, each.wanted]))
    for (const { destination, due } of served) {
      const endpoint = this.#endpoints.get(destination.id) ?? new EndpointQueue(destination)
      this.#endpoints.set(destination.id, endpoint)
      endpoint.refresh(destination, idle.has(endpoint))
      endpoint.add(due, wanted.get(destination.id) ?? firstWanted)
      this.#update(endpoint)
    }
  }

  /** An endpoint that stays ready keeps its turn. */
  #update(endpoint: EndpointQueue): void {
    if (endpoint.isReady) this.#ready.add(endpoint)
    else this.#ready.delete(endpoint)
  }

  async #send(): Promise<void> {
    for (let chosen = this.#choose(); chosen.length > 0; chosen = this.#choose()) {
      const texts = await this.#readTexts(chosen)
      for (const [i, each] of chosen.entries()) {
        if (texts) this.#begin(each, texts.get(each.delivery.id))
        else this.#putBack(each)
        if (i % begunAtOnce === begunAtOnce - 1) await setImmediate()
      }
    }
  }

  /** Endpoints take turns. One without the right to a kept place may find no place where another one does. */
  #choose(): Chosen[] {
    const chosen: Chosen[] = []
    if (this.#stopping.aborted) return chosen
    for (const endpoint of this.#ready) {
      const place = this.#share.take(endpoint.mayHaveKeptPlace)
      if (!place && endpoint.mayHaveKeptPlace) break
      if (!place) continue
      this.#ready.delete(endpoint)
      chosen.push({ endpoint, delivery: endpoint.next(), place })
      this.#update(endpoint)
      if (chosen.length === readAtOnce) break
    }
    this.#underWay += chosen.length
    return chosen
  }

  #putBack({ endpoint, delivery, place }: Chosen): void {
    this.#underWay--
    place.free()
    endpoint.returned(delivery)
    this.#update(endpoint)
  }

  /** Returns null if the database fails. */
  async #readTexts(chosen: Chosen[]): Promise<Map<string, Outgoing> | null> {
    const deliveries = chosen.map(({ delivery }) => delivery)
    try {
      return await textsOf(this.#db, this.#env!, deliveries)
    } catch (error) {
      this.#failed(error, 'loading events')
      await sleep(againMs, undefined, { ref: false })
      return null
    }
  }

  /** @param event undefined if the workspace no longer keeps it */
  #begin(chosen: Chosen, event: Outgoing | undefined): void {
    const { destination } = chosen.endpoint
    const attempt = { begunAt: this.#now(), url: destination.url, isExpired: event === undefined }
    void this.#requestOf(destination, chosen.delivery, event?.text)
      .then((request) => this.#post(chosen, request, event?.requestId ?? null))
      .then((answer) => this.#end(chosen, { ...attempt, answer }))
  }

  /** Returns the request, or the reason why none can be sent. */
  async #requestOf(
    destination: Destination,
    delivery: DueDelivery,
    text: string | undefined,
  ): Promise<OutgoingRequest | string> {
    if (text === undefined) return 'the event is no longer kept'
    const { clock, log, secretBox } = this.#deps
    try {
      return await requestOf(destination, delivery, text, clock(), this.#now(), secretBox)
    } catch (error) {
      log.error(
        { err: error, tenant_id: this.#tenantId, endpoint_id: destination.id },
        'creating a webhook request failed; recording a failed attempt',
      )
      return 'the request could not be created'
    }
  }

  async #post(
    { endpoint, delivery, place }: Chosen,
    request: OutgoingRequest | string,
    requestId: string | null,
  ): Promise<Answer> {
    if (typeof request === 'string')
      return { status: null, body: null, error: request, retryAfter: null, durationMs: 0 }
    place.hold(request.body.length)
    const timer = setTimeout(() => {
      place.wait()
      endpoint.waits(delivery)
    }, placeLimits.soonMs)
    const { headers, end } = this.#deps.observe(request.url, delivery, requestId)
    const answer = await this.#deps.transport.post({
      ...request,
      headers: { ...request.headers, ...headers },
    })
    end(answer)
    clearTimeout(timer)
    return answer
  }

  #end(
    { endpoint, delivery, place }: Chosen,
    {
      begunAt,
      url,
      isExpired,
      answer,
    }: Pick<Ended, 'url' | 'answer'> & { begunAt: Instant; isExpired: boolean },
  ): void {
    this.#underWay--
    place.free()
    if (answer.error === interrupted) return // the delivery stays due
    const { clock, retrySeconds } = this.#deps
    const pauses = isExpired ? [] : retrySeconds
    const outcome = outcomeOf(delivery, answer, begunAt, this.#now(), pauses, clock())
    const isJudged = !isExpired && answer.error !== crowded
    endpoint.ended(delivery, isJudged ? fateOf(answer) : null)
    this.#update(endpoint)
    this.#ended.push({ delivery, url, answer, outcome, isJudged })
    this.#sending.ask()
    this.#recording.ask()
  }

  /** Records attempts that have ended, and looks for more deliveries if some may be due. */
  async #record(): Promise<void> {
    await sleep(restMs, undefined, { ref: false }) // attempts that end meanwhile share the statement
    const batch = this.#ended.splice(0, recordedAtOnce)
    if (batch.length === 0) return // they were part of the previous batch
    try {
      await record(this.#deps, this.#env!, batch, (id) => this.#endpoints.get(id)?.mayBeFailing ?? true)
      for (const { delivery } of batch) this.#endpoints.get(delivery.endpoint_id)?.recorded(delivery)
    } catch (error) {
      this.#ended.unshift(...batch) // the database may have failed before it received them
      this.#failed(error, 'recording attempts')
      await sleep(againMs, undefined, { ref: false })
    }
    if (this.#ended.length > 0) this.#recording.ask()
    else if (this.#mayFindMore(batch)) this.look()
  }

  /** False if nothing was due that is not in progress, as far as this process knows. */
  #mayFindMore(recorded: Ended[]): boolean {
    const hasChanged = this.#hasChanged
    const now = this.#now()
    if (this.#underWay === 0) this.#hasChanged = false
    return (
      hasChanged ||
      recorded.some(({ outcome: { nextAttemptAt } }) => nextAttemptAt !== null && nextAttemptAt <= now) ||
      this.#endpoints.values().some((endpoint) => endpoint.hasMore)
    )
  }
}

/** Returns the current JSON of events by delivery id, so that it contains no text that has since been erased. */
async function textsOf(db: Db, env: Environment, deliveries: DueDelivery[]): Promise<Map<string, Outgoing>> {
  const positions = deliveries.filter(({ body }) => body === null) as (DueDelivery & Position)[]
  const events = positions.length > 0 ? await eventsAt(db, env, positions) : []
  const texts = new Map<string, Outgoing>(
    events.map((event) => [event.id, { text: eventWire.json(event), requestId: event.request_id }]),
  )
  return new Map(
    deliveries.flatMap(({ id, event_id, body }) => {
      const outgoing = body === null ? texts.get(event_id) : { text: body, requestId: null }
      return outgoing ? [[id, outgoing] as const] : []
    }),
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Ctx, Environment } from '../../../context.ts'
import { change } from '../../../db/carry-out.ts'
import type { Db } from '../../../db/database.ts'
import type { Position } from '../../../db/positions.ts'
import type { Leases } from '../../../jobs/leases.ts'
import { type Clock, type Instant, plusSeconds, toInstant } from '../../../lib/clock.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { eventsAt } from '../../events/queries.ts'
import { eventWire } from '../../events/schema.ts'
import { disableEndpoint } from '../actions.ts'
import { interrupted } from '../transport/failures.ts'
import type { Answer, Transport } from '../transport.ts'
import { isGone, isSuccess, outcomeOf, requestOf } from './attempt.ts'
import { Line } from './line.ts'
import {
  type Destination,
  type DueDelivery,
  destinations,
  dueDeliveries,
  type Fate,
  type Outcome,
  recordOutcomes,
} from './queries.ts'

export type QueueDeps = {
  db: Db
  clock: Clock
  log: Logger
  leases: Leases
  transport: Transport
  secretBox: SecretBox
  /** The pauses of the retry schedule, in seconds. */
  retrySeconds: readonly number[]
  context(env: Environment): Ctx
}

/** What is being sent in one environment. */
export type Queue = {
  readonly underWay: number
  /** Looks for what is due, and sends it. */
  look(): void
  /** Sends what may be sent. */
  fill(): void
  /** Is nothing going on here? */
  readonly isIdle: boolean
  /** Resolves when nothing is under way and all is recorded. */
  drained(): Promise<void>
}

/** What is shared with the queues of other environments. */
type Slots = {
  /** May this environment have one more request under way? If not, it is asked again when one ends. */
  free(queue: Queue): boolean
  take(): void
  giveBack(queue: Queue): void
  /** Whoever has waited longest may have what is free. */
  passOn(): void
  /** Nothing is begun any more. */
  readonly stopped: boolean
}

type EndpointLine = Line<DueDelivery> & { destination: Destination }
type Ended = {
  delivery: DueDelivery
  line: EndpointLine
  url: string
  answer: Answer
  outcome: Outcome
  /** The event has had its time in the feed: nobody's fault. */
  isExpired: boolean
}

/** Between two looks, so that commits that follow each other closely are one. */
const restMs = 10
/** Deliveries that wait in memory for one endpoint; their events are read when they are sent. */
const perEndpoint = 100
const recordedAtOnce = 500
const againMs = 500
/** Contract: after so long without a success, and at least so many failures. */
const patience = { seconds: 5 * 86_400, failures: 20 }

export function openQueue(deps: QueueDeps, tenantId: string, slots: Slots): Queue {
  const { db, clock, log, leases, transport, secretBox, retrySeconds } = deps
  const lines = new Map<string, EndpointLine>()
  const ended: Ended[] = []
  let env: Environment | null = null
  let looking = false
  let lookAgain = false
  let recording: Promise<void> | null = null
  let filling = false
  let fillAgain = false

  const nowHere = (): Instant => toInstant(clock() + (env?.clockOffsetMs ?? 0))

  async function findDue(): Promise<void> {
    if (slots.stopped) return
    const endpoints = (await leases.hold(tenantId)) ? await destinations(db, tenantId) : []
    env = endpoints[0] ?? env
    for (const [id, line] of lines) {
      if (endpoints.some((each) => each.id === id)) continue
      line.clear() // paused, disabled, deleted; or another process serves this environment now
      if (line.idle) lines.delete(id)
    }
    for (const destination of endpoints) {
      const line = lines.get(destination.id) ?? Object.assign(new Line<DueDelivery>(), { destination })
      line.destination = destination
      lines.set(destination.id, line)
    }
    const hungry = endpoints.map(({ id }) => lines.get(id)!).filter((line) => !line.sated)
    if (hungry.length === 0 || !env) return
    const ids = hungry.map(({ destination }) => destination.id)
    const known = hungry.flatMap((line) => [...line.known])
    const due = await dueDeliveries(db, tenantId, nowHere(), ids, known, perEndpoint)
    for (const delivery of due) lines.get(delivery.endpoint_id)?.add(delivery)
  }

  async function lookOnce(): Promise<void> {
    do {
      lookAgain = false
      await findDue().catch((error) =>
        log.warn({ err: error, tenant_id: tenantId }, 'webhooks are looked for again later'),
      )
      queue.fill()
      await sleep(restMs, undefined, { ref: false })
    } while (lookAgain)
    looking = false
  }

  function next(): [EndpointLine, DueDelivery] | null {
    for (const [id, line] of lines) {
      const delivery = line.next()
      if (!delivery) continue
      lines.delete(id) // to the end: endpoints take turns
      lines.set(id, line)
      return [line, delivery]
    }
    return null
  }

  async function fillOnce(): Promise<void> {
    await null // what ends at the same time is one reading
    while (fillAgain) {
      fillAgain = false
      await sendSome()
    }
    filling = false
  }

  /** Sends what may be sent, with its events as they are now: a text that was erased meanwhile is not in them. */
  async function sendSome(): Promise<void> {
    const chosen: [EndpointLine, DueDelivery][] = []
    while (slots.free(queue)) {
      const found = next()
      if (!found) break
      slots.take()
      underWay++
      chosen.push(found)
    }
    slots.passOn()
    if (chosen.length === 0) return
    try {
      const events = await textsOf(chosen.map(([, delivery]) => delivery))
      for (const [line, delivery] of chosen) void attempt(line, delivery, events.get(delivery.id) ?? null)
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'webhooks are sent later')
      await sleep(againMs, undefined, { ref: false })
      underWay -= chosen.length
      for (const [line, delivery] of chosen) line.returned(delivery)
      for (const _ of chosen) slots.giveBack(queue)
    }
  }

  /** The events' JSON texts by their deliveries' ids. */
  async function textsOf(deliveries: DueDelivery[]): Promise<Map<string, string>> {
    const places = deliveries.filter(({ body }) => body === null) as (DueDelivery & Position)[]
    const events = places.length > 0 ? await eventsAt(db, env!, places) : []
    const texts = new Map(events.map((event) => [event.id, eventWire.json(event)]))
    return new Map(
      deliveries.flatMap(({ id, event_id, body }) => {
        const text = body ?? texts.get(event_id)
        return text === undefined ? [] : [[id, text] as const]
      }),
    )
  }

  async function attempt(line: EndpointLine, delivery: DueDelivery, event: string | null): Promise<void> {
    const begunAt = nowHere()
    const { destination } = line
    const answer = await send(destination, delivery, event)
    underWay--
    if (answer.error === interrupted) return // it stays due
    const isExpired = event === null
    const outcome = outcomeOf(delivery, answer, begunAt, nowHere(), isExpired ? [] : retrySeconds, clock())
    if (isExpired) line.skipped()
    else line.ended(isSuccess(answer) ? 'succeeded' : answer.status === null ? 'unanswered' : 'failed')
    ended.push({ delivery, line, url: destination.url, answer, outcome, isExpired })
    recordSoon()
    slots.giveBack(queue)
  }

  async function send(
    destination: Destination,
    delivery: DueDelivery,
    event: string | null,
  ): Promise<Answer> {
    const failed = (error: string): Answer => ({
      status: null,
      body: null,
      error,
      retryAfter: null,
      durationMs: 0,
    })
    if (event === null) return failed('the event is older than the workspace keeps events')
    try {
      return await transport.post(requestOf(destination, delivery, event, clock(), nowHere(), secretBox))
    } catch (error) {
      log.error(
        { err: error, tenant_id: tenantId, endpoint_id: destination.id },
        'a webhook could not be made',
      )
      return failed('the request could not be made')
    }
  }

  function recordSoon(): void {
    recording ??= record().finally(() => {
      recording = null
      if (ended.length > 0) recordSoon()
      queue.look()
    })
  }

  /** The first that ends is recorded at once; those that end meanwhile are the next statement. */
  async function record(): Promise<void> {
    while (ended.length > 0) {
      const batch = ended.splice(0, recordedAtOnce)
      try {
        const outcomes = batch.map(({ outcome }) => outcome)
        const failing = await recordOutcomes(db, tenantId, outcomes, fatesOf(batch))
        for (const { line, delivery } of batch) line.recorded(delivery.id)
        await disableWhatFails(batch, failing).catch((error) => {
          log.warn({ err: error, tenant_id: tenantId }, 'an endpoint is disabled after its next failure')
        })
      } catch (error) {
        ended.unshift(...batch) // the database is away; it may not have heard of them
        log.warn({ err: error, tenant_id: tenantId }, 'outcomes of webhooks are recorded again later')
        await sleep(againMs, undefined, { ref: false })
      }
    }
  }

  async function disableWhatFails(
    batch: Ended[],
    failing: { endpoint_id: string; consecutive_failures: number; failing_since: Instant | null }[],
  ): Promise<void> {
    const urls = new Map(batch.map(({ delivery, url }) => [delivery.endpoint_id, url]))
    const gone = new Map(
      batch.filter(({ answer }) => isGone(answer)).map(({ delivery, url }) => [delivery.endpoint_id, url]),
    )
    const tired = failing
      .filter(({ consecutive_failures: count }) => count >= patience.failures)
      .filter(
        ({ failing_since: since }) => since !== null && plusSeconds(since, patience.seconds) <= nowHere(),
      )
      .map(({ endpoint_id }) => endpoint_id)
    for (const id of new Set([...gone.keys(), ...tired])) {
      const [reason, url] = gone.has(id)
        ? (['gone', gone.get(id)!] as const)
        : (['failing', urls.get(id)!] as const)
      await change(deps.context(env!), (draft) => disableEndpoint(draft, id, url, reason))
    }
  }

  let underWay = 0
  const queue: Queue = {
    get underWay() {
      return underWay
    },
    look() {
      lookAgain = true
      if (looking) return
      looking = true
      void lookOnce()
    },
    fill() {
      fillAgain = true
      if (filling) return
      filling = true
      void fillOnce()
    },
    get isIdle() {
      return underWay === 0 && !looking && !filling && !recording && ended.length === 0
    },
    async drained() {
      while (!queue.isIdle) await sleep(20)
    },
  }
  return queue
}

/** How each endpoint fared in a batch, whose order is that of the ends of attempts. */
function fatesOf(batch: Ended[]): Fate[] {
  const fates = new Map<string, Fate>()
  for (const { delivery, answer, outcome, isExpired } of batch) {
    if (isExpired) continue
    const endpointId = delivery.endpoint_id
    const former = fates.get(endpointId) ?? { endpointId, succeeded: false, failures: 0, failingSince: null }
    fates.set(
      endpointId,
      isSuccess(answer)
        ? { endpointId, succeeded: true, failures: 0, failingSince: null }
        : { ...former, failures: former.failures + 1, failingSince: former.failingSince ?? outcome.at },
    )
  }
  return [...fates.values()]
}

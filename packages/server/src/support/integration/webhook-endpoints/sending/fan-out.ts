import type { Consumer } from '../../../../platform/jobs/consumer.ts'
import { means } from '../../../../platform/journal/event-names.ts'
import { isBefore, laterOf } from '../../../../platform/journal/positions.ts'
import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { newUuid } from '../../../../platform/kernel/ids.ts'
import { planPart } from '../../../../platform/unit-of-work/plan.ts'
import { passing } from '../filtering.ts'
import {
  type EventToDeliver,
  environmentsToFanOut,
  eventsToDeliver,
  insertDeliveries,
  type NewDelivery,
  type Subscriber,
  subscribers,
} from './queries.ts'

/** The number of events of one statement, and of pairs of an event and an endpoint that it checks. */
const mostEvents = 500
const mostDeliveries = 5_000
const mostPairs = 50_000
/** The pairs that one with a filter counts as. */
const pairsOfFilter = 10
/** The name of the position in the journal, and of the lease on an environment's webhooks. */
export const webhookWork = 'webhooks'

/**
 * Creates a delivery, due at once, for each event and each endpoint that subscribes to it. Deliveries commit together
 * with the position of the consumer, so that a crash neither loses nor repeats one. An endpoint receives the events
 * after the transaction that enabled it, however late they are read, and of conversations those that its filter lets
 * pass.
 * @param given called with each environment that has new deliveries
 */
export const fanOut = (given: (tenantId: string) => void): Consumer => ({
  name: webhookWork,
  restMs: 10,
  behind: (db) => environmentsToFanOut(db, webhookWork),
  async take({ db, env, now, services }, from, end) {
    // Read after `end`: an endpoint that is enabled meanwhile receives the events after `end` in the next batch.
    const endpoints = await subscribers(db, env.tenantId)
    const [first] = endpoints
      .map(({ active }) => active)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    if (!first) return 'nobody'
    const batchSize = Math.max(1, Math.min(mostEvents, Math.floor(mostPairs / pairsOfEvent(endpoints))))
    const events = await eventsToDeliver(db, env.tenantId, { from: laterOf(first, from), end }, batchSize)
    const passes = await passing(services.eventFilters, db, env.tenantId, { endpoints, events, wants })
    const at = now()
    const deliveries: NewDelivery[] = []
    let taken = 0
    for (const event of events) {
      const to = endpoints.filter((endpoint) => wants(endpoint, event) && passes(endpoint, event))
      if (taken > 0 && deliveries.length + to.length > mostDeliveries) break
      for (const { id } of to) deliveries.push({ id: newUuid(toUnixMs(at)), endpointId: id, event, now: at })
      taken++
    }
    const through = events[taken - 1]
    if (!through) return null
    return {
      parts: deliveries.map((delivery) => planPart('plain', insertDeliveries, delivery)),
      through,
      more: taken < events.length || events.length === batchSize,
      onCommit: () => given(env.tenantId),
    }
  },
})

/** Events that `*` does not mean: there may be several for one other event. */
const onlyIfNamed: ReadonlySet<string> = new Set(['notification.created'])

function wants({ active, enabled_events: patterns }: Subscriber, event: EventToDeliver): boolean {
  if (!isBefore(active, event)) return false
  if (event.is_imported) return patterns.includes(event.type)
  const named = onlyIfNamed.has(event.type) ? patterns.filter((each) => each !== '*') : patterns
  return means(named, event.type)
}

const pairsOfEvent = (endpoints: Subscriber[]): number =>
  endpoints.reduce((sum, { filter }) => sum + (filter === null ? 1 : pairsOfFilter), 0)

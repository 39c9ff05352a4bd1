import { endOfJournal } from '../../../../platform/journal/heads.ts'
import { findFloor, laterOf, positionOf } from '../../../../platform/journal/positions.ts'
import { type Instant, toInstant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import { invalidBody } from '../../../../platform/kernel/errors.ts'
import { newUuid } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { positionAt } from '../../events/queries.ts'
import { webhookEndpoints } from '../entity.ts'
import { passing } from '../filtering.ts'
import {
  countMissedEvents,
  deleteRecovery,
  type EventRange,
  endOfScan,
  findRecovery,
  insertRecovery,
  missedEvents,
  moveRecovery,
  recoverDeliveries,
} from './queries.ts'
import type { BegunRecovery } from './schema.ts'

export const recoveryJob = 'webhook_recovery'

/** The events per turn that become deliveries, and the events that are scanned for them. */
const turn = { limit: 500, scan: 10_000 }
/** Takes about 2 s; statements may take 10 s. */
const countedAtOnce = 500_000
/** The pause between turns, so that a request waits only for the first one and other work has its turn. */
const restMs = 250

/** Schedules the delivery of the events that the endpoint has missed. The first turn runs before the response. */
export async function recoverWebhookEndpoint(
  change: Change,
  endpointId: string,
  since: Instant,
): Promise<BegunRecovery> {
  const { db, tenantId } = change
  const { id: endpoint_id, enabled_events } = await change.rows.peek(webhookEndpoints, endpointId)
  if (since > change.now)
    throw invalidBody({ pointer: '/since', code: 'too_large', detail: 'must not be in the future' })
  const until = await endOfJournal(db, tenantId)
  const from = laterOf(await positionAt(db, tenantId, since), await findFloor(db, tenantId))
  const range = { from, until, since }
  const events = await countMissed(change, endpoint_id, enabled_events, range)
  if (events > 0) {
    const id = newUuid(toUnixMs(change.now))
    change.effects.write(insertRecovery(tenantId, { id, endpoint_id, ...range }, change.now))
    change.jobs.schedule(recoveryJob, id, change.now)
  }
  return { endpoint_id, since, events }
}

/** Counts in several statements, so that none takes too long. */
async function countMissed(
  { db, tenantId }: Change,
  endpointId: string,
  names: string[],
  whole: EventRange,
): Promise<number> {
  let count = 0
  for (let range = whole; ; ) {
    const through = await endOfScan(db, tenantId, range, countedAtOnce)
    const part = through ? { ...range, through } : range
    count += await countMissedEvents(db, tenantId, endpointId, names, part)
    if (!through) return count
    range = { ...whole, from: through }
  }
}

/** Runs the next turn of a recovery: its deliveries and its position are one transaction. */
export async function recoverNext(change: Change, id: string): Promise<void> {
  const { db, tenantId } = change
  const recovery = await findRecovery(db, tenantId, id)
  const endpoint = recovery && (await change.rows.find(webhookEndpoints, recovery.endpoint_id))
  if (!recovery || !endpoint) return change.effects.write(deleteRecovery(tenantId, id)) // the endpoint was deleted
  change.effects.claim(`${recoveryJob}/${endpoint.id}`) // another recovery may be processing the same events
  const range = { ...recovery, from: laterOf(recovery.from, await findFloor(db, tenantId)) }
  const missed = await missedEvents(db, tenantId, endpoint.id, endpoint.enabled_events, range, turn)
  const passes = await passing(change.ctx.services.eventFilters, db, tenantId, {
    endpoints: [endpoint],
    events: missed,
    wants: () => true,
  })
  for (const event of missed) {
    if (!passes(endpoint, event)) continue
    const deliveryId = newUuid(toUnixMs(change.now))
    change.effects.writeBatched(recoverDeliveries, {
      ...event,
      deliveryId,
      endpointId: endpoint.id,
      at: change.now,
    })
  }
  change.effects.afterCommit(() => change.ctx.services.commits.reportFollowers(tenantId))
  const last = missed.length === turn.limit ? missed.at(-1)! : await endOfScan(db, tenantId, range, turn.scan)
  if (!last) return change.effects.write(deleteRecovery(tenantId, id))
  change.effects.write(moveRecovery(tenantId, id, positionOf(last)))
  change.jobs.schedule(recoveryJob, id, toInstant(toUnixMs(change.now) + restMs))
}

import { setImmediate } from 'node:timers/promises'
import { endOfJournal } from '../../../../platform/journal/heads.ts'
import type { Position } from '../../../../platform/journal/positions.ts'
import { type Instant, toInstant } from '../../../../platform/kernel/clock.ts'
import { unavailable } from '../../../../platform/kernel/errors.ts'
import { openSemaphore, withSlot } from '../../../../platform/kernel/semaphore.ts'
import { conditionOf } from '../../../../platform/lists/condition.ts'
import type { At } from '../../../../platform/lists/field.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import { type Counted, filterLimits, inTurn } from '../../../../platform/lists/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { stateOf } from '../../../../platform/postgres/process-state.ts'
import { compile } from '../../../../platform/postgres/sql.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { endUserList } from '../../../people/end-users/finding/request.ts'
import { type Group, type Grouping, groupsOf } from '../../conversations/finding/groups.ts'
import { conversationList } from '../../conversations/finding/request.ts'
import type { ViewSubject } from '../filter.ts'
import { maxCount } from './schema.ts'

/*
 * Consoles ask for the same counts when something has changed, all at the same moment. So an environment has one
 * counting at a time in a process. Who asks meanwhile waits for the next one, which answers all of them: it counts each
 * filter once, and begins after all have asked.
 */

export type Wanted = {
  subject: ViewSubject
  filter: Filter
  /** Null to count without groups. */
  by: Grouping | null
  /** Equal ones have equal counts. */
  key: string
}

/** `groups` is null without a grouping, or if there was no time for them. */
export type CountedByGroup = Counted & { groups: Group[] | null }

/** The counts of one moment, by their keys. */
export type Moment = { at: Instant; place: Position; counts: ReadonlyMap<string, CountedByGroup> }

/** The time for the counts of a request, and for all that are counted together. What is left then has `more`. */
const withinMs = 4_000
const togetherMs = 8_000
/** Further requests are answered by another counting. */
const mostTogether = 200
/** The longest wait for earlier countings. */
const patienceMs = 15_000

type Batch = { requests: Wanted[][]; counted: Promise<Moment> }

const newState = () => ({ turns: openSemaphore({ limitOfKey: 1 }), open: new Map<string, Batch>() })

export function wantedFor(
  tenantId: string,
  subject: ViewSubject,
  filter: Filter,
  grouping: Grouping | undefined,
): Wanted {
  const by = (subject === 'conversation' && grouping) || null
  // At a fixed time, so that conditions which depend on it are the same.
  const { text, values } = compile(conditionOf(filter, { tenantId, now: toInstant(0) }))
  return { subject, filter, by, key: JSON.stringify([subject, text, values, by]) }
}

/** Counts what is wanted, as it is at one moment after this call. */
export function countTogether(ctx: Ctx, request: Wanted[]): Promise<Moment> {
  const { open, turns } = stateOf(ctx.db, newState)
  const { tenantId, clockOffsetMs } = ctx.env
  const key = `${tenantId} ${clockOffsetMs}`
  const waiting = open.get(key)
  if (waiting && waiting.requests.length < mostTogether) {
    waiting.requests.push(request)
    return waiting.counted
  }
  const close = () => {
    if (open.get(key) === batch) open.delete(key)
  }
  const begin = async () => {
    await setImmediate() // whoever asks at the same time
    close()
    return inTurn(tenantId, () => countAll(ctx, batch.requests))
  }
  const counted = withSlot(turns, tenantId, patienceMs, begin, () => unavailable('too_many_at_once'))
  const batch: Batch = { requests: [request], counted: counted.finally(close) }
  open.set(key, batch)
  return batch.counted
}

const countAll = (ctx: Ctx, requests: Wanted[][]): Promise<Moment> =>
  ctx.db.atOneMoment(async (db) => {
    const { tenantId } = ctx.env
    const at = ctx.now()
    const place = await endOfJournal(db, tenantId) // the first statement: all see the database as it does
    const counts = new Map<string, CountedByGroup>()
    const lastMs = performance.now() + togetherMs
    for (const request of requests) {
      const endsAtMs = Math.min(performance.now() + withinMs, lastMs)
      for (const each of request)
        if (!counts.has(each.key))
          counts.set(each.key, await countOne(db, { tenantId, now: at }, each, endsAtMs - performance.now()))
    }
    return { at, place, counts }
  })

async function countOne(
  db: Db,
  at: At,
  { subject, filter, by }: Wanted,
  leftMs: number,
): Promise<CountedByGroup> {
  if (by !== null) {
    const groups = await groupsOf(db, at, filter, by, leftMs)
    const sum = (groups ?? []).reduce((all, { count }) => all + count, 0)
    return { count: Math.min(sum, maxCount), more: groups === null || sum > maxCount, groups }
  }
  const limits = { ...filterLimits, pageMs: leftMs, hasTurn: true }
  const list =
    subject === 'conversation'
      ? conversationList(db, at, filter, undefined, { filters: limits })
      : endUserList(db, at, filter, undefined, limits)
  const counted = await list.count(maxCount + 1)
  const { count, more } = typeof counted === 'number' ? { count: counted, more: false } : counted
  return { count: Math.min(count, maxCount), more: more || count > maxCount, groups: null }
}

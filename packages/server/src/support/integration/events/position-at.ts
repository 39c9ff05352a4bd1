import {
  atTime,
  beginning,
  highest,
  type Position,
  positionOf,
  startOfEpoch,
} from '../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'

/**
 * The maximum disorder of times in the journal: clocks of servers differ, and a change may wait some seconds until it
 * is written.
 */
const disorderMs = 60_000

/** An event that was created this long before a time is never after `positionAt()` of that time. */
export const positionSlackMs = 3 * disorderMs

export type Dated = Position & { created_at: Instant }

/** The event after a position and the one before it; null if there is none. */
export type Probe = Record<'next' | 'previous', (position: Position) => Promise<Dated | null>>

/**
 * Finds a position near a time: events created at `time` or later are after it, events created more than three minutes
 * earlier are not. Times have no index, but they ascend in journal order within a minute. The position of an event is
 * the time at which it was written, so that a few lookups suffice. A binary search finds events of earlier epochs, of
 * a moved test clock, and those written while the clock of the database was wrong.
 * @param disorder the milliseconds by which times may be out of order; a minute is always enough
 */
export async function findPosition(
  { next, previous }: Probe,
  time: Instant,
  disorder = disorderMs,
): Promise<Position> {
  const soughtMs = toUnixMs(time) - disorder
  const isEarly = (event: Dated | null): event is Dated =>
    event !== null && toUnixMs(event.created_at) < soughtMs
  const isNear = (event: Dated) => toUnixMs(event.created_at) >= soughtMs - disorder

  /** Searches between an early event and the end of a range by one part of the positions. */
  async function between(early: Dated, end: number, { part, at, guess }: Search): Promise<Dated> {
    let [last, high] = [early, end]
    let middle = guess
    for (; high - last[part] > 1; middle = null) {
      if (middle === null || middle <= last[part] || middle >= high)
        middle = last[part] + Math.floor((high - last[part]) / 2)
      const place = at(middle)
      const found = (await next({ ...place, ordinal: place.ordinal - 1 }))!
      if (isEarly(found) && isNear(found)) return found
      if (isEarly(found)) last = found
      else {
        const former = (await previous(place))!
        if (isEarly(former)) return former
        high = middle
      }
    }
    return last
  }

  for (let end = highest; ; ) {
    const last = await previous(end)
    if (!last) return beginning
    if (isEarly(last)) return positionOf(last)
    const start = startOfEpoch(last)
    const first = (await next(start))!
    if (isEarly(first)) return positionOf(await withinEpoch(first, last))
    end = start
  }

  async function withinEpoch(first: Dated, late: Position): Promise<Dated> {
    const start = startOfEpoch(first)
    const early = await between(first, late.position + 1, {
      part: 'position',
      at: (position) => ({ ...start, position }),
      guess: atTime(first, soughtMs - disorder / 2),
    })
    const { position } = early
    const last = (await previous({ ...start, position: position + 1 }))!
    const end = last.ordinal + 1
    return between(early, end, {
      part: 'ordinal',
      at: (ordinal) => ({ ...start, position, ordinal }),
      guess: null,
    })
  }
}

type Search = {
  part: 'position' | 'ordinal'
  /** The position of the first event with a value of this part, or one just before it. */
  at(value: number): Position
  /** The value that is tried first. */
  guess: number | null
}

import { beginning, type Position, positionOf } from '../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'

/**
 * How far two events may stand in another order than that of their times: clocks of servers differ, and who writes first
 * may commit last.
 */
const disorderMs = 60_000

/** What was created so long before a time is not after `positionAt()` of it. */
export const positionSlackMs = 2 * disorderMs

export type Dated = Position & { created_at: Instant }

/** The event after a position, and the last one before; null where there is none. */
export type Probe = Record<'next' | 'previous', (position: Position) => Promise<Dated | null>>

/**
 * A place in the journal near a time: whatever was created at `time` or later is after it, whatever was created more
 * than two minutes before is not. Times have no index; they ascend with the order but for a minute, so that they can be
 * searched for by halves.
 */
export async function findPosition({ next, previous }: Probe, time: Instant): Promise<Position> {
  const soughtMs = toUnixMs(time) - disorderMs
  const isEarly = (event: Dated | null): event is Dated =>
    event !== null && toUnixMs(event.created_at) < soughtMs
  let at = await next(beginning)
  if (!isEarly(at)) return beginning
  // Epoch by epoch, then transaction by transaction, then place by place: an early one that a late one follows.
  for (const { keyOf, end, start } of levels) {
    const final = (await previous(end(at)))!
    if (isEarly(final)) return positionOf(final)
    let low = keyOf(at)
    let high = keyOf(final) + 1n
    while (high - low > 1n) {
      const middle: bigint = (low + high) / 2n
      const event: Dated | null = await next(start(at, middle))
      if (isEarly(event)) {
        at = event
        low = keyOf(event)
      } else high = middle
    }
  }
  return positionOf(at)
}

const highest: Position = { epoch: 2147483647, xid: '18446744073709551615', ordinal: 2147483647 }

/** Ever closer: what is counted; behind all that is alike in the levels above; and before what has this count or more. */
const levels: {
  keyOf(event: Position): bigint
  end(at: Position): Position
  start(at: Position, key: bigint): Position
}[] = [
  {
    keyOf: ({ epoch }) => BigInt(epoch),
    end: () => highest,
    start: (_, key) => ({ epoch: Number(key), xid: '0', ordinal: -1 }),
  },
  {
    keyOf: ({ xid }) => BigInt(xid),
    end: ({ epoch }) => ({ ...highest, epoch }),
    start: ({ epoch }, key) => ({ epoch, xid: String(key), ordinal: -1 }),
  },
  {
    keyOf: ({ ordinal }) => BigInt(ordinal),
    end: ({ epoch, xid }) => ({ ...highest, epoch, xid }),
    start: ({ epoch, xid }, key) => ({ epoch, xid, ordinal: Number(key) - 1 }),
  },
]

import { beginning, type Position, positionOf } from '../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'

/** The maximum disorder of times in the journal: clocks of servers differ, and the first writer may commit last. */
const disorderMs = 60_000

/** Events created this long before a time are not after its `positionAt()`. */
export const positionSlackMs = 2 * disorderMs

export type Dated = Position & { created_at: Instant }

/** The event after a position and the one before it; null if there is none. */
export type Probe = Record<'next' | 'previous', (position: Position) => Promise<Dated | null>>

/**
 * Finds a position near a time: events created at `time` or later are after it, events created more than two minutes
 * earlier are not. Times have no index; they ascend in journal order within a minute, so a binary search finds them.
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
  let at = await next(beginning)
  if (!isEarly(at)) return beginning
  // Epoch, then transaction, then ordinal: the last early event before a late one.
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

/**
 * The levels of the search: the value counted, the position after all equal values of the higher levels, and the
 * position before this value.
 */
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

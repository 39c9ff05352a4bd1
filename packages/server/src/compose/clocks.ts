import type { Logger } from 'pino'
import type { Loops } from '../platform/jobs/loops.ts'
import { noteTime } from '../platform/journal/heads.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { gauge, type Metrics } from '../platform/kernel/metrics.ts'
import { pause } from '../platform/kernel/pause.ts'
import type { Db } from '../platform/postgres/database.ts'
import { readClock } from '../platform/postgres/server-facts.ts'

const intervalMs = 60_000
/** A larger difference is reported: due work starts late, and tokens expire at the wrong time. */
const tolerableMs = 5_000

type ClockDeps = { db: Db; clock: Clock; log: Logger; metrics: Metrics; loops: Loops }

export type ClockWatch = {
  /** A difference that matters, for `/readyz`; empty if there is none. */
  warnings(): string[]
  stop(): Promise<void>
}

/**
 * Compares the clock of this process with that of the database, once a minute, and warns of a difference that matters.
 * Tells the journal the time of the database.
 */
export function watchClock({ db, clock, log, metrics, loops }: ClockDeps): ClockWatch {
  const stopping = new AbortController()
  const loop = loops.open('clock', stopping.signal)
  let aheadMs = Number.NaN
  const about = {
    name: 'backline_clock_ahead_seconds',
    help: 'Time by which the clock of this process is ahead of that of the database; negative if it is behind.',
  }
  gauge(metrics, about, () => aheadMs / 1_000)

  const matters = () => Math.abs(aheadMs) > tolerableMs

  async function compare(): Promise<void> {
    const before = clock()
    const theirs = await readClock(db)
    aheadMs = differenceOf(before, theirs, clock())
    noteTime(db, theirs * 1_000)
    if (matters())
      log.warn(
        { ahead_ms: Math.round(aheadMs) },
        'the clock of this machine differs from that of the database; set both to network time (NTP)',
      )
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await loop.round(compare)
      await pause(intervalMs, stopping.signal)
    }
  }
  const watching = watch()
  return {
    warnings: () => {
      const seconds = Math.round(Math.abs(aheadMs) / 1_000)
      const direction = aheadMs > 0 ? 'ahead of' : 'behind'
      return matters() ? [`the clock of this machine is ${seconds} s ${direction} that of the database`] : []
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/**
 * The time by which a clock is ahead of another one, which was read between two of its own readings; 0 if it may be
 * right, so that a slow response is no difference.
 */
export const differenceOf = (before: number, theirs: number, after: number): number =>
  theirs < before ? before - theirs : Math.min(0, after - theirs)

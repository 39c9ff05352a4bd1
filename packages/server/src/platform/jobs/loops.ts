import type { Logger } from 'pino'
import { type Clock, type Instant, toInstant } from '../kernel/clock.ts'
import { counter, gauges, type Metrics } from '../kernel/metrics.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from '../postgres/errors.ts'

/** Background work that is done in rounds, and goes on after a failure. */
export type Loop = {
  /** Does a round of the work. Reports its result; returns undefined after a failure. */
  round<Result>(work: () => Promise<Result>): Promise<Result | undefined>
  /** Reports a failure within a round, or beside the rounds. @param about further members of the log line */
  failed(error: unknown, about?: object): void
  /** Reports a success outside of `round`. */
  succeeded(): void
}

/** The loops of a process. */
export type Loops = {
  /**
   * Returns the loop of this name, which several parts of the program may have.
   * @param stopping rounds that fail after it was aborted are no failures
   */
  open(name: string, stopping?: AbortSignal): Loop
  /** The loops that only fail, for `/readyz`; empty if there are none. */
  warnings(): string[]
}

/** The log has at most one line about a loop in this time. */
const logMs = 60_000
/** A loop is reported by `/readyz` after this time and this number of failures without a success. */
const patience = { ms: 60_000, failures: 3 }
/**
 * A success so soon after a failure is none: a part of the loop, such as the work on one environment, may fail again
 * and again beside others that do not. No shorter than the time limits of statements.
 */
const quietMs = 15_000

/** Times are Unix milliseconds. */
type State = {
  lastSuccessAt: number
  lastFailureAt: number
  /** The first failure since the last success; null if there is none, not counting outages of the database. */
  failingSince: number | null
  failures: number
  /** The time of the last line in the log, the failures since, and whether there was one since the last success. */
  loggedAt: number
  unlogged: number
  isLogged: boolean
}

const newState = (): State => ({
  lastSuccessAt: 0,
  lastFailureAt: Number.NEGATIVE_INFINITY,
  failingSince: null,
  failures: 0,
  loggedAt: Number.NEGATIVE_INFINITY,
  unlogged: 0,
  isLogged: false,
})

/** Opens the record of the loops of a process, and registers its metrics. */
export function openLoops({ clock, log, metrics }: { clock: Clock; log: Logger; metrics: Metrics }): Loops {
  const states = new Map<string, State>()
  const failures = counter(metrics, {
    name: 'backline_loop_failures_total',
    help: 'Failures of a loop of background work, which it tries again.',
    labels: ['loop'],
  })
  const lastSuccess = {
    name: 'backline_loop_last_success_timestamp_seconds',
    help: 'Time at which a loop of background work last did a round without a failure; 0 if it never did.',
    label: 'loop',
  } as const
  gauges(
    metrics,
    lastSuccess,
    () => new Map([...states].map(([loop, { lastSuccessAt }]) => [loop, lastSuccessAt / 1_000])),
  )

  function stateOf(loop: string): State {
    const state = states.get(loop) ?? newState()
    if (!states.has(loop)) failures.inc({ loop }, 0)
    states.set(loop, state)
    return state
  }

  function succeeded(loop: string, state: State, begunAt: number): void {
    if (begunAt - state.lastFailureAt < quietMs) return
    if (state.isLogged) log.info({ loop, failures: state.unlogged }, 'a background loop works again')
    Object.assign(state, {
      lastSuccessAt: clock(),
      failingSince: null,
      failures: 0,
      unlogged: 0,
      isLogged: false,
    })
  }

  function failed(loop: string, state: State, error: unknown, about: object): void {
    const now = clock()
    failures.inc({ loop })
    state.lastFailureAt = now
    if (!isOutage(error)) {
      state.failingSince ??= now
      state.failures++
    }
    state.unlogged++
    if (now - state.loggedAt < logMs) return
    log.warn({ err: error, loop, failures: state.unlogged, ...about }, 'a background loop failed; will retry')
    Object.assign(state, { loggedAt: now, unlogged: 0, isLogged: true })
  }

  return {
    open(name, stopping) {
      const state = stateOf(name)
      return {
        async round(work) {
          const begunAt = clock()
          try {
            const result = await work()
            succeeded(name, state, begunAt)
            return result
          } catch (error) {
            if (!stopping?.aborted) failed(name, state, error, {})
            return undefined
          }
        },
        failed: (error, about = {}) => failed(name, state, error, about),
        succeeded: () => succeeded(name, state, clock()),
      }
    },
    warnings: () =>
      [...states].flatMap(([name, { failingSince, failures }]) =>
        failingSince !== null && failures >= patience.failures && clock() - failingSince >= patience.ms
          ? [warningOf(name, toInstant(failingSince))]
          : [],
      ),
  }
}

const warningOf = (loop: string, since: Instant) =>
  `the background loop ${loop} has failed since ${since}; the log has the reason`

/**
 * True if the database does not respond, which `/readyz` says; false for a statement that takes too long or waits for a
 * lock.
 */
const isOutage = (error: unknown): boolean => {
  if (!(error instanceof DatabaseUnavailable)) return false
  const state = sqlState(error.cause)
  return state !== sqlStates.queryCanceled && state !== sqlStates.lockNotAvailable
}

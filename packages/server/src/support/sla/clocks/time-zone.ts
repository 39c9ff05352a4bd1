import { Temporal } from '../../../platform/kernel/time-zones.ts'
import { firstIndex } from './first-index.ts'

/** A period (Unix ms) with a constant offset of a zone's wall clock from UTC, in milliseconds. */
export type Regime = { from: number; to: number; offset: number }

export type TimeZone = {
  /** The period of a time. */
  at(unixMs: number): Regime
}

/** The zones that were requested so far. */
const known = new Map<string, TimeZone>()

/** A zone of the IANA database. Known periods are found by binary search. */
export function timeZone(name: string): TimeZone {
  const key = name.toLowerCase()
  let zone = known.get(key)
  if (!zone) {
    zone = learning(name)
    known.set(key, zone)
  }
  return zone
}

function learning(name: string): TimeZone {
  const regimes: Regime[] = [] // in order; only the requested ones
  return {
    at(unixMs) {
      const index = firstIndex(regimes, ({ to }) => to > unixMs)
      const found = regimes[index]
      if (found && found.from <= unixMs) return found
      const learned = regimeAt(name, unixMs)
      regimes.splice(index, 0, learned)
      return learned
    },
  }
}

/** `Temporal` knows the zones, their history and their rules. */
function regimeAt(name: string, unixMs: number): Regime {
  const moment = Temporal.Instant.fromEpochMilliseconds(unixMs).toZonedDateTimeISO(name)
  const next = moment.getTimeZoneTransition('next')
  const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: moment.offsetNanoseconds / 1e6,
  }
}

/** From one moment (epoch ms) to the next, a zone's wall clock is ahead of UTC by so many milliseconds. */
export type Regime = { from: number; to: number; offset: number }

export type TimeZone = {
  /** What holds at a moment. */
  at(epochMs: number): Regime
}

/** What is known of the zones that were asked for. */
const known = new Map<string, TimeZone>()

/** A zone of the IANA database. Regimes that were found once are found again by a binary search. */
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
  const regimes: Regime[] = [] // in order; what nobody asked for is left out
  return {
    at(epochMs) {
      let low = 0
      let high = regimes.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (regimes[middle]!.to <= epochMs) low = middle + 1
        else high = middle
      }
      const found = regimes[low]
      if (found && found.from <= epochMs) return found
      const learned = regimeAt(name, epochMs)
      regimes.splice(low, 0, learned)
      return learned
    },
  }
}

/** `Temporal` knows the zones, their past, and the rules by which they go on. */
function regimeAt(name: string, epochMs: number): Regime {
  const moment = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(name)
  const next = moment.getTimeZoneTransition('next')
  const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: moment.offsetNanoseconds / 1e6,
  }
}

/** From one moment (epoch ms) to the next, a zone's wall clock is ahead of UTC by so many milliseconds. */
export type Regime = { from: number; to: number; offset: number }

export type TimeZone = {
  /** What holds at a moment. */
  at(epochMs: number): Regime
}

/** What is known of the zones that were asked for; each grows with the years that are asked for. */
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
  const regimes: Regime[] = [] // in order, with nothing left out between them

  function find(epochMs: number): Regime | null {
    let low = 0
    let high = regimes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (regimes[middle]!.to <= epochMs) low = middle + 1
      else high = middle
    }
    const regime = regimes[low]
    return regime && regime.from <= epochMs ? regime : null
  }

  function learn(epochMs: number): void {
    if (regimes.length === 0) regimes.push(regimeAt(name, epochMs))
    while (regimes[0]!.from > epochMs) regimes.unshift(regimeAt(name, regimes[0]!.from - 1))
    while (regimes.at(-1)!.to <= epochMs) regimes.push(regimeAt(name, regimes.at(-1)!.to))
  }

  return {
    at(epochMs) {
      const regime = find(epochMs)
      if (regime) return regime
      learn(epochMs)
      return find(epochMs)!
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

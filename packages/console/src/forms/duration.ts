const unitSeconds: [RegExp, number, string][] = [
  [/^(w|weeks?|wochen?)$/, 604_800, 'w'],
  [/^(d|days?|t|tage?n?)$/, 86_400, 'd'],
  [/^(h|hr|hrs|hours?|std|stunden?)$/, 3_600, 'h'],
  [/^(m|min|mins|minutes?|minuten?)$/, 60, 'min'],
  [/^(s|sec|secs|seconds?|sek|sekunden?)$/, 1, 's'],
]

const shown = unitSeconds.slice(1)

/** The seconds of "2 h", "1 d 4 h", "90 min", "1.5 h" or "1:30"; null if it is no duration. */
export function secondsOf(text: string): number | null {
  const clock = /^(\d{1,4}):([0-5]\d)$/.exec(text.trim())
  if (clock) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60
  const parts = text
    .toLowerCase()
    .replaceAll('.', ' . ')
    .replace(/(\d) \. (\d)/g, '$1.$2')
    .replaceAll(' . ', ' ')
  const matches = [...parts.matchAll(/(\d+(?:[.,]\d+)?)\s*([a-zäöü]+)|(\S)/g)]
  if (matches.length === 0) return null
  let seconds = 0
  for (const [, amount = '', name, other] of matches) {
    const unit = !other && name && unitSeconds.find(([pattern]) => pattern.test(name))
    if (!unit) return null
    seconds += Number(amount.replace(',', '.')) * unit[1]
  }
  return Math.round(seconds)
}

/** "1 d 2 h 30 min", exact to the second. */
export function durationOf(seconds: number): string {
  let rest = seconds
  const parts = shown.flatMap(([, size, name]) => {
    const amount = Math.floor(rest / size)
    rest %= size
    return amount > 0 ? [`${amount} ${name}`] : []
  })
  return parts.join(' ') || '0 min'
}

/** An ISO 8601 period as filters take it, such as `-P7D`, of seconds with a sign. */
export function periodOf(seconds: number): string {
  const sign = seconds < 0 ? '-' : ''
  const size = Math.abs(seconds)
  const days = Math.floor(size / 86_400)
  const time = [
    [Math.floor(size / 3_600) % 24, 'H'],
    [Math.floor(size / 60) % 60, 'M'],
    [size % 60, 'S'],
  ]
    .filter(([amount]) => amount !== 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join('')
  if (days === 0 && time === '') return 'PT0S'
  return `${sign}P${days > 0 ? `${days}D` : ''}${time && `T${time}`}`
}

/** The seconds of a period as filters take it; null if it is none. */
export function secondsOfPeriod(period: string): number | null {
  const parts = /^(-?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(period)
  if (!parts) return null
  const unitsOf = [604_800, 86_400, 3_600, 60, 1]
  const size = unitsOf.reduce((sum, unit, i) => sum + unit * Number(parts[i + 2] ?? 0), 0)
  return parts[1] === '-' ? -size : size
}

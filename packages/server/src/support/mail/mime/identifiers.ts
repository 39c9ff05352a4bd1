/** A longer Message-ID does not fit into a line of a header (RFC 5322). */
const maxLength = 998

/** Reads the Message-IDs of a header as `<id@host>`, in their order and each once. */
export function readMessageIds(header: string): string[] {
  const ids: string[] = []
  let start = -1
  for (let i = 0; i < header.length; i++) {
    if (header[i] === '<') start = i + 1
    if (header[i] !== '>' || start < 0) continue
    ids.push(header.slice(start, i))
    start = -1
  }
  const found = ids.length > 0 ? ids : withoutBrackets(header)
  return [...new Set(found.map(toMessageId).filter((id) => id !== null))]
}

/** Some programs forget the brackets. Then words with an at sign are Message-IDs. */
const withoutBrackets = (header: string): string[] =>
  header.split(/[\s,;<>]/).filter((word) => word.includes('@'))

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are removed
const ignored = /[\s\u0000-\u001f\u007f]+/g

function toMessageId(text: string): string | null {
  const id = text.replace(ignored, '')
  return id && id.length + 2 <= maxLength ? `<${id}>` : null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const dateTime =
  /^(?:[a-z]{2,12}\.?,? ?)?(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}\.?[ -](\d{2,4}),? (\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.\d{1,9})?)? ?([+-]\d{4}|[a-z]{1,5})?(?![:\d])/

/** Zones of RFC 822. RFC 5322 reads all others as UTC. */
const hoursOfZones: Record<string, number> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
}

/** Reads a date of RFC 5322, or of ISO 8601, which some programs write. @returns null for a wrong one */
export function readDate(header: string): string | null {
  const text = header
    .slice(0, 1000)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  if (/^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d{1,9})?)?(z|[+-]\d\d:\d\d)$/.test(text))
    return toIso(Date.parse(text))
  const [, day, monthName = '', year = '', hour, minute, second = '0', zone = 'utc'] =
    dateTime.exec(text) ?? []
  const month = months.indexOf(monthName)
  if (month < 0) return null
  const offset = offsetOf(zone)
  const midnight = new Date(Date.UTC(fullYear(year), month, Number(day)))
  const isReal = midnight.getUTCMonth() === month
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  if (offset === null || !isReal || !isTime) return null
  return toIso(
    midnight.getTime() + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000,
  )
}

/** Years of two or three digits, by RFC 5322 section 4.3. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 4) return year
  return digits.length === 2 && year < 50 ? 2000 + year : 1900 + year
}

/** Minutes east of UTC; null for an impossible offset. */
function offsetOf(zone: string): number | null {
  if (!/^[+-]/.test(zone)) return (hoursOfZones[zone] ?? 0) * 60
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  if (Number(zone.slice(3)) > 59 || minutes > 24 * 60) return null
  return zone.startsWith('-') ? -minutes : minutes
}

/** Dates before 1970 and beyond the year 9999 are of broken clocks. */
function toIso(time: number): string | null {
  const date = new Date(time)
  return time >= 0 && date.getUTCFullYear() <= 9999 ? date.toISOString() : null
}

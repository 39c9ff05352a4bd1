/**
 * Is this a name of the IANA time zone database? Offsets such as `+01:00` are not, because they have no daylight
 * saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

export const noTimeZone = {
  code: 'bad_format',
  detail: 'must be a name of the IANA time zone database, such as Europe/Berlin',
} as const

/** Node's own `Temporal`; Node before 26 has none, and gets the same from a package. */
export const Temporal: typeof globalThis.Temporal =
  globalThis.Temporal ?? ((await import('temporal-polyfill/implementation')).Temporal as never)

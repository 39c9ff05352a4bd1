/** A time as `<input type="datetime-local">` has it: in the time zone of the browser, to the minute or the second. */
export function toLocal(unixMs: number, unit: 'minute' | 'second' = 'minute'): string {
  const offsetMs = new Date(unixMs).getTimezoneOffset() * 60_000
  return new Date(unixMs - offsetMs).toISOString().slice(0, unit === 'minute' ? 16 : 19)
}

/** The instant in RFC 3339; null unless the text is a time. */
export function fromLocal(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

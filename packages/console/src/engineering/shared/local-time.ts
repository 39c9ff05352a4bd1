/** A time as `<input type="datetime-local">` has it: in the time zone of the reader, to the second. */
export function toLocal(unixMs: number): string {
  const date = new Date(unixMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Null unless the text is a time. */
export function fromLocal(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

import { styleText } from 'node:util'

type Entry = Record<string, unknown> & { level: number; time: number; msg?: string }

const levels: Record<number, [name: string, style: Parameters<typeof styleText>[0]]> = {
  10: ['trace', 'gray'],
  20: ['debug', 'gray'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}
/** The fields of every line that say nothing on a terminal. */
const omitted = ['level', 'time', 'msg', 'pid', 'hostname', 'reqId', 'err']

/**
 * Formats a line of JSON for people: local time, level, message, fields, and below them an error with its stack.
 * Control characters are escaped, so that no value can move the cursor.
 */
export function prettyLine(line: string, hasColours: boolean): string {
  const entry = JSON.parse(line) as Entry
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const [level, style] = levels[entry.level] ?? [String(entry.level), 'gray']
  const fields = Object.entries(entry).filter(([name]) => !omitted.includes(name))
  const head = [
    paint('gray', timeOf(entry.time)),
    paint(style, level.padEnd(5)),
    escaped(entry.msg ?? ''),
    ...fields.map(([name, value]) => paint('gray', `${name}=${shown(value)}`)),
  ]
  return `${[head.join(' '), ...errorLines(entry.err)].join('\n')}\n`
}

function timeOf(unixMs: number): string {
  const time = new Date(unixMs)
  const two = (part: number) => String(part).padStart(2, '0')
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value)
    ? escaped(value)
    : escaped(typeof value === 'number' ? String(round(value)) : (JSON.stringify(value) ?? ''))

const round = (value: number) => Math.round(value * 1_000) / 1_000

type ShownError = { type?: string; message?: string; stack?: string; cause?: ShownError }

function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { type = 'Error', message = '', stack = '', cause } = error as ShownError
  const frames = stack.split('\n').filter(Boolean).map(escaped)
  return [`  ${escaped(`${type}: ${message}`)}`, ...frames, ...errorLines(cause)]
}

const escaped = (text: string) =>
  text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))

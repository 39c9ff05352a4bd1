import type { RowWire } from '../../../platform/resource/wire.ts'

/* CSV by RFC 4180: cells are quoted where that is needed, and nothing else is escaped. */

const lineEnd = '\r\n'

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const columnsOf = ({ schema }: Pick<RowWire<never>, 'schema'>): string[] =>
  Object.keys((schema as { properties: object }).properties)

/** The first line: the names of the members. */
export const csvHeader = (wire: Pick<RowWire<never>, 'schema'>): string =>
  columnsOf(wire).map(quoted).join(',') + lineEnd

/** The line of an object. @param json as the API shows it */
export function csvLine(wire: Pick<RowWire<never>, 'schema'>, json: string): string {
  const object = JSON.parse(json) as Record<string, unknown>
  return (
    columnsOf(wire)
      .map((name) => cellOf(object[name]))
      .join(',') + lineEnd
  )
}

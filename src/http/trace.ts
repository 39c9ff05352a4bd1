import { randomBytes } from 'node:crypto'

const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Continues a client's well-formed trace with a span of our own (W3C Trace Context); null without one. */
export function continueTrace(header: string | string[] | undefined): string | null {
  const match = typeof header === 'string' ? traceparent.exec(header) : null
  if (!match || /^0+$/.test(match[1]!) || /^0+$/.test(match[2]!)) return null
  return `00-${match[1]}-${randomBytes(8).toString('hex')}-${match[3]}`
}

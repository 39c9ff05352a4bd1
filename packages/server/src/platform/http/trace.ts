import { randomBytes } from 'node:crypto'

const hex = (text: string | undefined, length: number) => text?.length === length && /^[0-9a-f]+$/.test(text)
const zero = /^0+$/

/**
 * Continues a client's valid trace with a new span; null without one. For versions later than 00 the known fields are
 * read (W3C Trace Context, section 3.2.4).
 */
export function continueTrace(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null
  const [version, trace, parent, flags, ...later] = header.split('-')
  const wellFormed = hex(version, 2) && hex(trace, 32) && hex(parent, 16) && hex(flags, 2)
  if (!wellFormed || version === 'ff' || (version === '00' && later.length > 0)) return null
  if (zero.test(trace!) || zero.test(parent!)) return null
  return `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`
}

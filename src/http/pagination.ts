import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../lib/errors.ts'
import type { SortKey } from '../lib/page.ts'
import { Enum, Int, Optional, Type } from './schema.ts'

export const defaultLimit = 25
export const maxLimit = 100
/** Totals are exact up to here; counting further would cost more than the page. */
export const maxTotal = 10_000

/** The query parameters that every list takes. */
export const listParameters = {
  limit: Optional(Int(1, maxLimit, { description: 'Items on a page.', default: defaultLimit })),
  /** Any text at all: what is no cursor of ours is told by the codec. */
  cursor: Optional(
    Type.String({
      maxLength: 8192,
      pattern: '^[\\s\\S]*$',
      description: 'Where to continue: `next_cursor` of the page before.',
    }),
  ),
  include: Optional(Enum(['total'], { description: '`total` counts the whole list, up to 10,000.' })),
}

/** What a cursor is good for: it continues exactly this list. */
export type CursorScope = { tenantId: string; path: string; filters: Record<string, unknown>; sort: string }

export type CursorCodec = {
  write(scope: CursorScope, after: SortKey): string
  /** @throws ApiError `cursor_invalid`, `cursor_mismatch` */
  read(scope: CursorScope, cursor: string): SortKey
}

const macLength = 16
const scopeLength = 12

/**
 * A cursor is base64url of: 16 bytes HMAC-SHA-256, 12 bytes digest of its scope, JSON of the sort key. It says
 * where to go on and grants nothing; it never expires.
 */
export function cursorCodec(secret: Buffer): CursorCodec {
  const mac = (data: Buffer) => createHmac('sha256', secret).update(data).digest().subarray(0, macLength)
  return {
    write(scope, after) {
      const data = Buffer.concat([digest(scope), Buffer.from(JSON.stringify(after))])
      return Buffer.concat([mac(data), data]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const data = bytes.subarray(macLength)
      const genuine =
        bytes.length > macLength + scopeLength &&
        bytes.toString('base64url') === cursor && // the decoder skips what is not base64url
        timingSafeEqual(bytes.subarray(0, macLength), mac(data))
      if (!genuine) throw new ApiError('cursor_invalid')
      if (!data.subarray(0, scopeLength).equals(digest(scope))) throw new ApiError('cursor_mismatch')
      return JSON.parse(data.subarray(scopeLength).toString())
    },
  }
}

function digest({ tenantId, path, filters, sort }: CursorScope): Buffer {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([tenantId, path, sorted, sort]))
    .digest()
    .subarray(0, scopeLength)
}

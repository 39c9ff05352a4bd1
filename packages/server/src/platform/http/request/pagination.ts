import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'
import type { SortKey } from '../../kernel/page.ts'
import { Enum, Int, Optional, Type } from '../../resource/schema.ts'

export const defaultLimit = 25
export const maxLimit = 100
/** Totals are exact up to this number; counting further would cost more than the page. */
export const maxTotal = 10_000

export const limitOf = (byDefault: number) =>
  Optional(Int(1, maxLimit, { description: 'The maximum number of items on a page.', default: byDefault }))

/** The query parameters of every list. */
export const listParameters = {
  limit: limitOf(defaultLimit),
  /** Any text; the codec rejects invalid cursors. */
  cursor: Optional(
    Type.String({
      maxLength: 8192,
      pattern: '^[\\s\\S]*$',
      description:
        'Continue after this cursor, the `next_cursor` of an earlier page. Without one, or with an empty one, the first page.',
    }),
  ),
  include: Optional(Enum(['total'], { description: '`total` adds the total count, up to 10,000.' })),
}

/** The list that a cursor continues. */
export type CursorScope = {
  tenantId: string
  /** The space of the principal: nobody else can use the cursor. Null for all of the tenant. */
  space?: string | null
  path: string
  filters: Record<string, unknown>
  sort: string
  /** Further things that decide which rows are in the list, as JSON. */
  bound?: unknown
}

export type CursorCodec = {
  write(scope: CursorScope, after: SortKey): string
  /** @param scopes the scopes that the cursor may have. @throws ApiError `cursor_invalid`, `cursor_mismatch` */
  read(scopes: CursorScope[], cursor: string): SortKey
}

const ivLength = 16
const scopeLength = 12

/**
 * A cursor is base64url of a 16-byte synthetic IV and, encrypted, 12 bytes of the digest of its scope and the sort
 * key as JSON. It is a position, grants no access and never expires. It is encrypted because journal positions reveal
 * how much the whole installation writes.
 *
 * The construction is SIV (Rogaway and Shrimpton, "A Provable-Security Treatment of the Key-Wrap Problem", 2006; the
 * mode of RFC 5297) with HMAC-SHA-256 and AES-256-CTR: the IV authenticates the encrypted part, and no nonce can
 * repeat.
 */
export function cursorCodec(secret: Buffer): CursorCodec {
  const derive = (use: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', use, 32)))
  const macKey = derive('backline cursor mac')
  const encryptionKey = derive('backline cursor encryption')
  const ivOf = (data: Buffer) => createHmac('sha256', macKey).update(data).digest().subarray(0, ivLength)

  function decrypt(bytes: Buffer): Buffer | null {
    const iv = bytes.subarray(0, ivLength)
    const data = createDecipheriv('aes-256-ctr', encryptionKey, iv).update(bytes.subarray(ivLength))
    return timingSafeEqual(iv, ivOf(data)) ? data : null
  }

  /** Cursors of older servers, which are signed and not encrypted, with the same layout. */
  function verify(bytes: Buffer): Buffer | null {
    const data = bytes.subarray(ivLength)
    const mac = createHmac('sha256', secret).update(data).digest().subarray(0, ivLength)
    return timingSafeEqual(bytes.subarray(0, ivLength), mac) ? data : null
  }

  return {
    write(scope, after) {
      const data = Buffer.concat([digest(scope), Buffer.from(JSON.stringify(after))])
      const iv = ivOf(data)
      const cipher = createCipheriv('aes-256-ctr', encryptionKey, iv)
      return Buffer.concat([iv, cipher.update(data)]).toString('base64url')
    },
    read(scopes, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      // The decoder skips invalid characters.
      const isComplete = bytes.length > ivLength + scopeLength && bytes.toString('base64url') === cursor
      const data = isComplete ? (decrypt(bytes) ?? verify(bytes)) : null
      if (data === null) throw new ApiError('cursor_invalid')
      const isOf = (scope: CursorScope) => data.subarray(0, scopeLength).equals(digest(scope))
      if (!scopes.some(isOf)) throw new ApiError('cursor_mismatch')
      return JSON.parse(data.subarray(scopeLength).toString())
    },
  }
}

function digest({ tenantId, space = null, path, filters, sort, bound = null }: CursorScope): Buffer {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  const owner = space === null ? [] : [space]
  return createHash('sha256')
    .update(JSON.stringify([tenantId, path, sorted, sort, ...owner, ...(bound === null ? [] : [{ bound }])]))
    .digest()
    .subarray(0, scopeLength)
}

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../kernel/errors.ts'
import { canonicalJson } from '../../kernel/json.ts'
import { linesOf } from './headers.ts'

const printable = /^[\x20-\x7e]{1,255}$/
/** An RFC 8941 String: quoted, with `\"` and `\\` as the only escapes. */
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * Reads `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), bare or as a quoted string; both forms are
 * the same key. Null if the header is absent.
 * @throws ApiError `idempotency_key_invalid`
 */
export function readIdempotencyKey(request: IncomingMessage): string | null {
  const [line, ...others] = linesOf(request, 'idempotency-key')
  if (line === undefined) return null
  if (others.length > 0) throw new ApiError('idempotency_key_invalid')
  const bare = line.startsWith('"') ? unquote(line) : line
  if (bare === null || !printable.test(bare)) throw new ApiError('idempotency_key_invalid')
  return bare
}

const unquote = (text: string) => quoted.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? null

/** The identity of a request: SHA-256 over method, path, query and canonical body. */
export const fingerprint = (method: string, url: string, body: unknown): Buffer =>
  hash('sha256', `${method} ${url}\n${body === undefined ? '' : canonicalJson(body)}`, 'buffer')

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/*
 * Texts that are the same for every client, sent compressed and with an ETag. Each encoding is made for its first
 * reader, on a thread of the pool.
 */

type Encoding = 'br' | 'gzip' | 'identity'

type Encoded = { body: Buffer; etag: string }

export type StaticText = { type: string; cacheControl: string; encoded(as: Encoding): Promise<Encoded> }

/** Browsers ask each time whether their copy is current. */
const revalidated = 'no-cache'
/** For an address that contains the version of its content. */
export const immutable = 'public, max-age=31536000, immutable'

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
/** Compresses a text of a megabyte in a quarter of the time of the highest quality, to 5 % more. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** A text whose brotli form is `packed`, if it is known. */
export function staticText(
  type: string,
  text: string | null,
  cacheControl: string = revalidated,
  packed: () => Promise<Buffer> = () => compress.br(text!, brotliOptions),
): StaticText {
  const made = new Map<Encoding, Promise<Encoded>>()
  const make: Record<Encoding, () => Promise<Buffer>> = {
    br: packed,
    gzip: async () => compress.gzip((await encoded('identity')).body, { level: 9 }),
    identity: async () =>
      text === null ? promisify(brotliDecompress)((await encoded('br')).body) : Buffer.from(text),
  }
  function encoded(as: Encoding): Promise<Encoded> {
    const known = made.get(as) ?? make[as]().then((body) => ({ body, etag: etagOf(body) }))
    made.set(as, known)
    known.catch(() => made.delete(as)) // the next reader tries again
    return known
  }
  return { type, cacheControl, encoded }
}

const preferred: Encoding[] = ['br', 'gzip']

/** Sends the text in the best encoding that the client accepts, or 304 if it has it already. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  text: StaticText,
): Promise<FastifyReply> {
  const accepted = new Negotiator(request).encodings()
  const encoding = preferred.find((each) => accepted.includes(each)) ?? 'identity'
  const { body, etag } = await text.encoded(encoding)
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': text.cacheControl })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(text.type).send(body)
}

const etagOf = (body: Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

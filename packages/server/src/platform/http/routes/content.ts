import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesIfRange, parseRange } from '../../files/content-headers.ts'
import { NoSuchBytes } from '../../files/store.ts'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import { matchesWeakly } from '../../kernel/etag.ts'
import { networkOf } from '../../kernel/networks.ts'
import type { Route } from '../../resource/resource.ts'
import type { Content } from '../../resource/streams.ts'
import type { Places } from '../limits/transfer-places.ts'
import type { Answer, Payload } from './answers.ts'

type Bytes = Extract<Content, { etag: string }>

/** More downloads at once are refused: in this process, of one holder, and of one network without a credential. */
const most = { all: 400, holder: 100, network: 50 }
const retryAfterSeconds = 5

/** Sends the bytes of a file, or a range of them, or redirects to where they are (RFC 9110 sections 13 and 14). */
export const answerContent =
  (route: Route, { downloads }: { downloads: Places }): Answer =>
  async (input, ctx, request, reply) => {
    const content = await (route.handle as (...args: unknown[]) => Promise<Content | null>)(ctx, input)
    if (content === null) throw new ApiError('not_found')
    if ('location' in content) {
      reply.code(302).headers({ location: content.location, 'cache-control': 'private, no-store' })
      return undefined
    }
    return sendBytes(content, downloads, request, reply)
  }

async function sendBytes(
  content: Bytes,
  downloads: Places,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Payload> {
  const { headers, etag, sizeBytes } = content
  const { 'if-none-match': ifNoneMatch, 'if-range': ifRange, range: asked } = request.headers
  const shown = { ...headers, etag, 'accept-ranges': 'bytes' }
  if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag)) {
    reply.code(304).headers(shown)
    return undefined
  }
  const range = matchesIfRange(ifRange as string | undefined, etag) ? parseRange(asked, sizeBytes) : null
  if (range === 'unsatisfiable') throw unsatisfiable(sizeBytes)
  const length = range ? range.end - range.start + 1 : sizeBytes
  const isSent = request.method !== 'HEAD' && length > 0
  const bytes = isSent ? await open(content, downloads, range, request, reply) : null
  reply.headers({ ...shown, 'content-length': String(length) })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  if (request.method === 'HEAD') return Readable.from([]) // without a body, Fastify would send another length
  return bytes ?? undefined
}

/** Opens the bytes; the reader has a place until the response ends. @throws ApiError `unavailable`, `not_found` */
async function open(
  { read }: Bytes,
  downloads: Places,
  range: { start: number; end: number } | null,
  { principal, ip, log }: FastifyRequest,
  { raw }: FastifyReply,
): Promise<Readable> {
  const { credential, holderId } = principal!
  const own =
    credential === null ? { name: networkOf(ip), most: most.network } : { name: holderId, most: most.holder }
  const leave = downloads.enter([{ name: 'process', most: most.all }, own])
  if (leave === null) throw unavailable('too_many_at_once', { retryAfterSeconds })
  raw.once('close', leave)
  try {
    const bytes = await read(range ?? undefined)
    raw.once('close', () => bytes.destroy()) // the client has gone
    return bytes
  } catch (error) {
    leave()
    if (!(error instanceof NoSuchBytes)) throw error
    log.warn({ err: error }, 'a file has no bytes: it was deleted meanwhile, or the store has lost them')
    throw new ApiError('not_found')
  }
}

const unsatisfiable = (sizeBytes: number) =>
  new ApiError(
    'bad_request',
    { size_bytes: sizeBytes },
    {
      status: 416,
      detail: `The file has ${sizeBytes} bytes.`,
      headers: { 'content-range': `bytes */${sizeBytes}` },
    },
  )

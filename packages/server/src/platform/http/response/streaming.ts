import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counts } from '../../kernel/counts.ts'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import type { Live, Reader } from '../../resource/streams.ts'

/** Maximum number of open streams: in the process, and of one holder of a credential. */
export type StreamLimits = { most: number; ofOne: number }

/** The interval of checks: may the readers still read, is a comment due? */
const checkMs = 1_000
/** The interval of checks of credentials whose revocation ends their streams without a check. */
const rareCheckMs = 15_000
/** The size of the buffer for a slow reader, in addition to the current piece. */
const bufferBytes = 16 * 1024
/** Refused clients are many and return together. */
const retryAfterSeconds = 5

/** The reader of a stream. Streams of one audience are admitted or ended together. */
export type Audience = {
  /** Equal for equal credential, address and route. */
  id: string
  /** The holder of the credential. */
  holderId: string
  /** The maximum number of streams of this holder, if it is lower than the usual one. */
  most?: number
  /** Rejects with an ApiError if this audience may no longer read. */
  admitted(): Promise<unknown>
  /** Set if its streams end without a check once it may no longer read: the time of the monotonic clock until which. */
  endsItselfUntilMs?: number
}

/** The responses of this process that are sent in pieces. */
export type OpenStreams = {
  readonly count: number
  /**
   * Opens a finite text and sets the headers of its response.
   * @throws ApiError `unavailable` if too many streams are open, and errors of `pieces` before the first piece
   */
  download(
    reply: FastifyReply,
    audience: Audience,
    mediaType: string,
    pieces: (signal: AbortSignal) => AsyncIterable<string>,
  ): Promise<Readable>
  /**
   * Opens Server-Sent Events without an end and sends the response itself.
   * @param ended called once after the end of a stream that was opened
   * @throws ApiError `unavailable` if too many streams are open, and errors of `open`
   */
  live(
    request: FastifyRequest,
    reply: FastifyReply,
    audience: Audience,
    open: (reader: Reader) => Promise<Live>,
    ended?: () => void,
  ): Promise<void>
  /** Ends all streams; new ones end at once. */
  endAll(): void
}

/** A stream in the list of open ones. */
type Stream = {
  end(): void
  /** Ends it for readers that may no longer read. */
  refuse(): void
  tick?(nowMs: number): void
}
type OpenAudience = Audience & { streams: Set<Stream>; nextCheckMs: number; openedAtMs: number }

/** Streams are checked each second for this time, in which caches forget a revoked credential. */
const newForMs = 2_000

/** The headers of every stream. */
export const streamHeaders = (mediaType: string) => ({
  'content-type': mediaType,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // otherwise a proxy buffers pieces
})

export function openStreams(limits: StreamLimits, intervalMs = checkMs): OpenStreams {
  const audiences = new Map<string, OpenAudience>()
  const byHolder = new Counts()
  let count = 0
  let stopped = false

  /** Takes a slot and returns the function that releases it. */
  function enter(audience: Audience, stream: Stream): () => void {
    const { id, holderId, most = limits.ofOne } = audience
    const own = byHolder.of(holderId)
    if (count >= limits.most || own >= Math.min(most, limits.ofOne))
      throw unavailable('too_many_streams', { retryAfterSeconds })
    count++
    byHolder.add(holderId)
    const open = audiences.get(id) ?? { ...audience, streams: new Set(), nextCheckMs: 0, openedAtMs: 0 }
    open.nextCheckMs = 0 // a new stream may have been admitted by a credential that was cached
    open.openedAtMs = performance.now()
    audiences.set(id, open)
    open.streams.add(stream)
    return () => {
      if (!open.streams.delete(stream)) return
      count--
      byHolder.add(holderId, -1)
      if (open.streams.size === 0 && audiences.get(id) === open) audiences.delete(id)
    }
  }

  async function check(audience: OpenAudience): Promise<void> {
    const { admitted, streams, endsItselfUntilMs } = audience
    if (performance.now() >= audience.nextCheckMs) {
      const isNew = performance.now() - audience.openedAtMs < newForMs
      audience.nextCheckMs = endsItselfUntilMs === undefined || isNew ? 0 : nextRareCheck(endsItselfUntilMs)
      await admitted().catch((error) => {
        // The credential was revoked, has expired, or lost the scope.
        if (error instanceof ApiError && error.code !== 'rate_limited')
          for (const stream of streams) stream.refuse()
      })
    }
    const nowMs = performance.now()
    for (const stream of streams) stream.tick?.(nowMs)
  }
  const checking = setInterval(() => {
    for (const audience of audiences.values()) void check(audience)
  }, intervalMs).unref()

  return {
    get count() {
      return count
    },
    async download(reply, audience, mediaType, pieces) {
      const ending = new AbortController()
      let body: Readable | null = null
      const end = () => {
        ending.abort()
        reply.raw.destroy() // at once; the pieces end when they notice
        body?.destroy() // a response that waits behind another one on its connection emits no `close`
      }
      const leave = enter(audience, { end, refuse: end })
      const iterator = pieces(ending.signal)[Symbol.asyncIterator]()
      const first = await iterator.next().catch((error) => {
        leave()
        throw error
      })
      async function* all() {
        for (let piece = first; !piece.done; piece = await iterator.next()) yield piece.value
      }
      const sent = Readable.from(all(), { objectMode: false, highWaterMark: bufferBytes })
      body = sent
      if (stopped) end() // otherwise an interrupted response would look complete
      sent.once('close', () => {
        leave()
        ending.abort()
        iterator.return?.().catch(ignore) // the reader has gone, whatever the end of the pieces says
      })
      reply.raw.once('close', () => sent.destroy())
      reply.headers(streamHeaders(mediaType))
      return sent
    },
    async live(request, reply, audience, open, ended = ignore) {
      const { socket } = request.raw
      const stream = new LiveResponse(reply.raw)
      stream.leave = enter(audience, stream)
      try {
        stream.source = await open(stream)
      } catch (error) {
        stream.leave()
        throw error
      }
      reply.hijack()
      stream.ended = ended
      stream.start({ ...reply.getHeaders(), ...streamHeaders('text/event-stream') })
      socket.once('end', () => stream.end()) // a client that stops sending has disconnected
      if (stopped || socket.destroyed || socket.readableEnded) stream.end()
    },
    endAll() {
      stopped = true
      clearInterval(checking)
      for (const { streams } of audiences.values()) for (const stream of streams) stream.end()
    },
  }
}

/** At random times, because many streams open together after a restart; every second from `untilMs` on. */
function nextRareCheck(untilMs: number): number {
  const nowMs = performance.now()
  return untilMs <= nowMs ? 0 : Math.min(untilMs, nowMs + rareCheckMs * (0.5 + Math.random() / 2))
}

const ignore = () => undefined

/** A response with Server-Sent Events. Thousands may be idle, so it holds its connection and little else. */
class LiveResponse implements Reader, Stream {
  readonly #response: ServerResponse
  source: Live | null = null
  leave: () => void = ignore
  ended: () => void = ignore

  constructor(response: ServerResponse) {
    this.#response = response
    response.once('close', () => this.#close())
  }

  start(headers: object): void {
    const response = this.#response
    // Fastify's listeners keep request and reply in memory for an end that a stream does not have.
    response.removeAllListeners('finish').removeAllListeners('error').on('error', ignore)
    response.on('drain', () => this.source?.resume())
    response.writeHead(200, headers as never)
    this.source?.start()
  }

  send(text: string): boolean {
    return this.#response.write(text)
  }

  tick(nowMs: number): void {
    this.source?.tick(nowMs)
  }

  end(): void {
    this.#response.destroy()
    this.#close() // `close` is not emitted for a response whose connection closed earlier
  }

  /** Ends as a whole response: browsers show one that is cut off as an error. Data that waits is not sent. */
  refuse(): void {
    const response = this.#response
    if (!response.headersSent || response.writableLength > 0) this.end()
    else {
      response.end(() => response.destroy()) // `start` removed what Node needs to use the connection again
      this.#close()
    }
  }

  #close(): void {
    this.leave()
    this.source?.close()
    this.source = null
    this.ended()
    this.ended = ignore
  }
}

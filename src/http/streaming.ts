import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../lib/errors.ts'

/** A reader that takes nothing for so long is let go: its place in the stream is its own to remember. */
const slowReaderMs = 30_000
const checkMs = 1_000
/** What is held back for a reader that is slower than we are, besides the piece at hand. */
const bufferBytes = 16 * 1024

export type OpenStreams = {
  /** Sends pieces as fast as they are read. `admitted` is asked every second whether the reader may still read. */
  send(
    reply: FastifyReply,
    mediaType: string,
    pieces: (signal: AbortSignal) => AsyncIterable<string>,
    admitted: () => Promise<unknown>,
  ): Promise<FastifyReply>
  /** Ends all; new ones end at once. */
  endAll(): void
}

type OpenStream = { waitsSince: number | null; end(): void; admitted(): Promise<unknown> }

/** The responses of this process that are still being sent. */
export function openStreams(limits = { slowReaderMs, checkMs }): OpenStreams {
  const open = new Set<OpenStream>()
  let ended = false

  async function check(stream: OpenStream): Promise<void> {
    if (stream.waitsSince !== null && performance.now() - stream.waitsSince > limits.slowReaderMs)
      stream.end()
    await stream.admitted().catch((error) => {
      if (error instanceof ApiError) stream.end() // the key was revoked, has expired, or lost the scope
    })
  }
  const checking = setInterval(() => {
    for (const stream of open) void check(stream)
  }, limits.checkMs).unref()

  return {
    async send(reply, mediaType, pieces, admitted) {
      const ending = new AbortController()
      const iterator = pieces(ending.signal)[Symbol.asyncIterator]()
      const first = await iterator.next() // what is refused, is refused before anything is sent
      const end = () => {
        ending.abort()
        reply.raw.destroy() // at once; the pieces end when they notice
      }
      const state: OpenStream = { waitsSince: null, admitted, end }
      async function* watched() {
        for (let piece = first; !piece.done; piece = await iterator.next()) {
          state.waitsSince = performance.now()
          yield piece.value
          state.waitsSince = null
        }
      }
      const body = Readable.from(watched(), { objectMode: false, highWaterMark: bufferBytes })
      open.add(state)
      if (ended) end() // or what is cut off would look whole
      body.once('close', () => {
        open.delete(state)
        ending.abort()
        void iterator.return?.()
      })
      reply.raw.once('close', () => body.destroy())
      return reply
        .header('content-type', mediaType)
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no') // or a proxy keeps pieces until it has enough of them
        .send(body)
    },
    endAll() {
      ended = true
      clearInterval(checking)
      for (const stream of open) stream.end()
    },
  }
}

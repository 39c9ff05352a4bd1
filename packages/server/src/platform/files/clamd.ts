import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type Scanner, ScannerUnavailable, type Verdict } from './scanner.ts'
import type { ClamdAddress } from './settings.ts'

/*
 * The protocol of clamd(8), section COMMANDS: a command begins with `z` and ends with a null character, and so does the
 * reply. `INSTREAM` is followed by chunks, each after its length as a 32-bit number in network byte order; the length
 * zero ends the stream. clamd replies `stream: OK`, `stream: NAME FOUND` or a text that ends with `ERROR`, and closes
 * the connection. It replies before the end of the stream if the stream is longer than its `StreamMaxLength`.
 */

/** Time limits in milliseconds. */
export type ClamdLimits = {
  /** For the connection. */
  connect: number
  /** While bytes are sent: the longest time in which clamd takes none. */
  idle: number
  /** For the reply, after the last byte. clamd itself gives up a scan after its `MaxScanTime`, 120 s by default. */
  reply: number
  /** For the reply to PING, and between two of them during a scan: a clamd that hangs is given up before `reply`. */
  ping: number
  /** For a scan as a whole. */
  scan: number
}

const usualLimits: ClamdLimits = {
  connect: 5_000,
  idle: 60_000,
  reply: 150_000,
  ping: 5_000,
  scan: 900_000,
}

/** The end of a stream. */
const endOfStream = Buffer.alloc(4)

/** A chunk that is larger is sent in several ones. */
const largestChunk = 2 ** 20

const longestReply = 4_096

/** Each scan has a connection of its own. The error of a source that fails is thrown as it is. */
export function openClamd(address: ClamdAddress, limits: ClamdLimits = usualLimits): Scanner {
  async function ping(): Promise<void> {
    const socket = await connected(address, limits)
    try {
      socket.setTimeout(limits.ping)
      const reply = replyOf(socket)
      socket.write('zPING\0')
      const text = await reply
      if (text !== 'PONG') throw new ScannerUnavailable(`clamd answered PING with ${quoted(text)}`)
    } finally {
      socket.destroy()
    }
  }

  /** Ends the connection of a scan that takes too long, or when clamd no longer answers PING. */
  function watch(socket: Socket): () => void {
    const limit = setTimeout(
      () => socket.destroy(new Error(`the scan took longer than ${inSeconds(limits.scan)}`)),
      limits.scan,
    )
    const pinging = setInterval(() => ping().catch((error) => socket.destroy(error)), limits.ping)
    return () => {
      clearTimeout(limit)
      clearInterval(pinging)
    }
  }

  return {
    ping,
    async scan(bytes) {
      const socket = await connected(address, limits).catch((error) => {
        bytes.destroy()
        throw error
      })
      const stopWatching = watch(socket)
      try {
        const reply = replyOf(socket)
        const state = { isWhole: false }
        const sent = send(bytes, socket, state).then(() => {
          socket.setTimeout(limits.reply)
          return reply
        })
        return verdictOf(await Promise.race([reply, sent]), state.isWhole)
      } finally {
        stopWatching()
        socket.destroy()
        bytes.destroy()
      }
    },
  }
}

/**
 * A connection that goes on reading when a write fails: clamd closes its end after a reply. A later write fails with
 * EPIPE although the reply can still be read. The connection then ends by its reading side.
 */
class ReadableAfterWrites extends Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    super._write(chunk, encoding, (error) => error || done())
  }

  override _writev(
    chunks: { chunk: unknown; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    super._writev!(chunks, (error) => error || done())
  }
}

function connected(address: ClamdAddress, limits: ClamdLimits): Promise<Socket> {
  const name = 'path' in address ? address.path : `${address.host}:${address.port}`
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = new ReadableAfterWrites()
  const fail = (reason: string) => {
    socket.destroy()
    reject(new ScannerUnavailable(`clamd cannot be reached at ${name}: ${reason}`))
  }
  socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
  // The time for a name to be resolved counts, too: the time limit of the socket does not include it.
  const timer = setTimeout(fail, limits.connect, `no connection within ${inSeconds(limits.connect)}`)
  socket.once('close', () => clearTimeout(timer))
  socket.connect(address, () => {
    clearTimeout(timer)
    socket.setTimeout(limits.idle)
    resolve(socket)
  })
  return promise
}

/** Reads up to the null character. @throws ScannerUnavailable */
function replyOf(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  promise.catch(() => undefined)
  let received = ''
  const fail = (reason: string) => reject(new ScannerUnavailable(`clamd gave no verdict: ${reason}`))
  const soFar = () => (received ? ` after ${quoted(received)}` : '')
  socket.on('data', (data) => {
    received += data.toString('latin1')
    const end = received.indexOf('\0')
    if (end >= 0) resolve(received.slice(0, end))
    else if (received.length > longestReply) fail(`its reply ${quoted(received)} has no end`)
  })
  socket.once('end', () => fail(`it closed the connection${soFar()}`))
  socket.once('error', (error: NodeJS.ErrnoException) => fail(`${error.code ?? error.message}${soFar()}`))
  socket.once('timeout', () => fail(`nothing happened for ${inSeconds(socket.timeout ?? 0)}${soFar()}`))
  socket.once('close', () => fail('the connection was closed'))
  return promise
}

/** Sends the stream, or its beginning if the connection is closed. @throws the error of the source, and no other one */
async function send(bytes: Readable, socket: Socket, state: { isWhole: boolean }): Promise<void> {
  socket.write('zINSTREAM\0')
  for await (const piece of bytes as AsyncIterable<Uint8Array>) {
    for (let start = 0; start < piece.length; start += largestChunk) {
      const chunk = piece.subarray(start, start + largestChunk)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(chunk.length)
      socket.cork()
      socket.write(length)
      socket.write(chunk)
      socket.uncork()
      if (socket.writableNeedDrain) await drained(socket)
      if (socket.destroyed) return
    }
  }
  state.isWhole = true
  socket.write(endOfStream)
}

function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    socket.off('drain', done).off('close', done)
    resolve()
  }
  socket.on('drain', done).on('close', done)
  return promise
}

/** @param isWhole whether clamd was sent all bytes: the bytes are not clean if it has not seen them */
function verdictOf(reply: string, isWhole: boolean): Verdict {
  const found = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (found) return { infected: found }
  if (reply === 'stream: OK' && isWhole) return { infected: null }
  if (reply.startsWith('INSTREAM size limit exceeded')) {
    const hint = 'raise StreamMaxLength in clamd.conf to the largest size of a file'
    throw new ScannerUnavailable(
      `clamd gave no verdict: the file is longer than its StreamMaxLength; ${hint}`,
    )
  }
  throw new ScannerUnavailable(`clamd gave no verdict: it answered ${quoted(reply)}`)
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200))

const inSeconds = (ms: number): string => `${ms / 1_000} s`

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/*
 * HTTP/1.1 as bytes, for requests that no client library would send: duplicate headers, unusual bytes, broken framing.
 * It parses responses strictly, so that incorrect framing is noticed.
 */

export type RawAnswer = {
  status: number
  /** Headers by lower-case name; several lines of one name are several values. */
  headers: Map<string, string[]>
  body: Buffer
}

export const headerOf = (answer: RawAnswer, name: string): string | undefined => answer.headers.get(name)?.[0]

/** The server closed or reset the connection, or did not respond in time. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** Larger requests are sent in pieces, until the response arrives. */
const pieceBytes = 64 * 1024
const silenceMs = 10_000

/** A keep-alive connection. */
export class RawClient {
  readonly #url: URL
  #socket: Socket | null = null

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** @throws NoAnswer */
  async request(method: string, bytes: Buffer): Promise<RawAnswer> {
    this.#socket ??= await open(this.#url)
    const socket = this.#socket
    const reading = readAnswer(socket, method)
    let isAnswered = false
    reading.then(
      () => {
        isAnswered = true
      },
      () => {
        isAnswered = true
      },
    )
    let sent = 0
    while (sent < bytes.length && !isAnswered) {
      const isFlushed = socket.write(bytes.subarray(sent, sent + pieceBytes))
      sent += pieceBytes
      if (!isFlushed)
        await Promise.race([once(socket, 'drain').catch(() => undefined), reading.catch(() => 0)])
    }
    try {
      const answer = await reading
      if (sent < bytes.length || headerOf(answer, 'connection')?.toLowerCase() === 'close') this.close()
      return answer
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }
}

async function open(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  socket.on('error', () => undefined) // `close` follows and reports it
  return socket
}

function readAnswer(socket: Socket, method: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const finish = (action: () => void) => {
      clearTimeout(silence)
      socket.off('data', onData).off('close', onClose)
      action()
    }
    const read = (isEnd: boolean) => {
      const parsed = parseAnswer(received, method, isEnd)
      if (!parsed) return false
      finish(() =>
        parsed.length === received.length
          ? resolve(parsed.answer)
          : reject(
              new Error(`Bytes after the answer: ${received.subarray(parsed.length, parsed.length + 200)}`),
            ),
      )
      return true
    }
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      read(false)
    }
    const onClose = () => {
      if (!read(true))
        finish(() => reject(new NoAnswer(`Connection closed after ${received.length} bytes of an answer`)))
    }
    const silence = setTimeout(() => finish(() => reject(new NoAnswer('Silence'))), silenceMs)
    socket.on('data', onData).on('close', onClose)
    if (socket.destroyed) onClose()
  })
}

/**
 * Returns the response at the beginning of `bytes` and its length; null while it is incomplete. `isEnd`: the connection
 * has ended, which ends a body without a length.
 * @throws if the bytes are not an HTTP response
 */
function parseAnswer(
  bytes: Buffer,
  method: string,
  isEnd: boolean,
): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine)?.[1])
  if (!status) throw new Error(`Not the beginning of an answer: ${statusLine.slice(0, 200)}`)
  const start = headEnd + 4
  if (status < 200) {
    const next = parseAnswer(bytes.subarray(start), method, isEnd)
    return next && { ...next, length: next.length + start }
  }
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  const answer = (body: Buffer, end: number) => ({ answer: { status, headers, body }, length: end })
  if (status === 204 || status === 304) return answer(Buffer.alloc(0), start)
  if (method === 'HEAD') {
    // The error response to an unparsable request has a body, because its method is unknown.
    if (headers.get('connection')?.[0] !== 'close') return answer(Buffer.alloc(0), start)
    return isEnd ? answer(bytes.subarray(start), bytes.length) : null
  }
  if (headers.get('transfer-encoding')?.[0] === 'chunked') {
    const chunked = parseChunks(bytes, start)
    return chunked && answer(chunked.body, chunked.end)
  }
  const length = headers.get('content-length')?.[0]
  if (length === undefined) return isEnd ? answer(bytes.subarray(start), bytes.length) : null
  const end = start + Number(length)
  return bytes.length < end ? null : answer(bytes.subarray(start, end), end)
}

function parseChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | null {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return null
    if (size === 0) return { body: Buffer.concat(chunks), end: next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

/**
 * Sends pieces in sequence on a new connection. Returns all responses: as many as `methods` has, or fewer if the server
 * closes the connection.
 */
export async function converse(
  url: string,
  pieces: Buffer[],
  options: { methods?: string[]; endAfter?: boolean; withinMs?: number } = {},
): Promise<RawAnswer[]> {
  const { methods = ['GET'], endAfter = false, withinMs = silenceMs } = options
  const socket = await open(new URL(url))
  let received = Buffer.alloc(0)
  let isClosed = false
  let wake: () => void = () => undefined
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, 20)) // so that they arrive separately
    if (!socket.destroyed) socket.write(piece)
  }
  if (endAfter && !socket.destroyed) socket.end()
  const answers: RawAnswer[] = []
  const ending = setTimeout(() => socket.destroy(), withinMs)
  try {
    while (answers.length < methods.length) {
      const parsed = parseAnswer(received, methods[answers.length]!, isClosed)
      if (parsed) {
        answers.push(parsed.answer)
        received = received.subarray(parsed.length)
      } else if (isClosed) break
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    return answers
  } finally {
    clearTimeout(ending)
    socket.destroy()
  }
}

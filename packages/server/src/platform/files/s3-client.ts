import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { exactly } from './exact-size.ts'
import { Transient, tooSlow, unreachable } from './s3-errors.ts'
import { encoded, openSigner, queryOf, type Signer, type Unsigned } from './s3-signing.ts'
import type { S3Settings } from './settings.ts'
import { StoreUnavailable } from './store.ts'

/** The times, in milliseconds, after which the store is given up. */
export type Patience = {
  /** For the headers of a response, from the end of the request. */
  headersMs: number
  /** The same for an upload, whose bytes the store may still have to write. */
  uploadedMs: number
  /** The longest time in which no byte arrives, while this side reads. */
  idleMs: number
}

const usualPatience: Patience = { headersMs: 10_000, uploadedMs: 60_000, idleMs: 30_000 }
const pausesMs = [100, 500]
const longestDocument = 64 * 1024

export type S3Client = {
  signer: Signer
  /** The path of a key in URLs. */
  pathOf(key: string): string
  /** The bucket and the key, as the source of a copy. */
  bucketPathOf(key: string): string
  /** Sends a request without a body. The response must be read or destroyed. @throws StoreUnavailable without one */
  send(request: Unsigned, patienceMs?: number): Promise<IncomingMessage>
  /** Sends a request with a body of `sizeBytes`. @throws as FileStore.write; the response may report an error */
  upload(request: Unsigned, bytes: Readable, sizeBytes: number): Promise<IncomingMessage>
  /** The body of a response, whose errors are StoreUnavailable. */
  bodyOf(response: IncomingMessage): Readable
  close(): void
}

/**
 * The origin of the requests and the path before keys. An endpoint is addressed path-style. AWS is addressed by a name
 * that contains the bucket, unless no certificate would match it.
 */
export function addressOf({ bucket, endpoint, region }: S3Settings): { origin: string; prefix: string } {
  if (endpoint) return { origin: endpoint, prefix: `/${bucket}` }
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return /^[a-z0-9-]{3,63}$/.test(bucket)
    ? { origin: `https://${bucket}.${host}`, prefix: '' }
    : { origin: `https://${host}`, prefix: `/${bucket}` }
}

/** HTTP requests to the bucket, signed, with limits of time. */
export function openS3Client(settings: S3Settings, patience: Partial<Patience> = {}): S3Client {
  const { headersMs, uploadedMs, idleMs } = { ...usualPatience, ...patience }
  const { origin, prefix } = addressOf(settings)
  const { protocol } = new URL(origin)
  const { Agent, request: start } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  /** An upload cannot be repeated, so it takes no connection that the store may be about to close. */
  const uploads = new Agent({ keepAlive: false })
  const signer = openSigner(origin, settings)

  async function open(request: Unsigned, through: http.Agent): Promise<ClientRequest> {
    const { method, path, query = {} } = request
    const text = queryOf(query)
    const headers = await signer.sign(request)
    const url = `${origin}${path}${text && '?'}${text}`
    return start(url, { method, headers, agent: through, timeout: idleMs })
  }

  /**
   * Resolves with the response.
   * @param patienceMs from the end of the request
   * @param isUpload the bytes may take any time; otherwise the time to connect is a part of the wait
   */
  function responseOf(sent: ClientRequest, patienceMs: number, isUpload: boolean): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let deadline: NodeJS.Timeout | undefined
      let isAnswered = false
      const beginToWait = () => {
        const late = () => sent.destroy(tooSlow(settings, `no response within ${patienceMs / 1_000} s`))
        deadline = setTimeout(late, patienceMs)
      }
      if (isUpload) sent.on('finish', beginToWait)
      else beginToWait()
      sent.on('error', (error) => {
        clearTimeout(deadline)
        reject(unavailable(error))
      })
      sent.on('close', () => {
        if (!isAnswered) reject(unavailable(new Error('the connection was closed')))
      })
      // From then on, `bodyOf` looks at the time.
      sent.on('timeout', () => {
        if (!isAnswered) sent.destroy(tooSlow(settings, `no byte within ${idleMs / 1_000} s`))
      })
      sent.on('response', (response) => {
        isAnswered = true
        clearTimeout(deadline)
        resolve(response)
      })
    })
  }

  const unavailable = (error: Error): StoreUnavailable =>
    error instanceof StoreUnavailable ? error : unreachable(settings, error)

  async function send(request: Unsigned, patienceMs = headersMs): Promise<IncomingMessage> {
    const sent = await open(request, agent)
    sent.end()
    return await responseOf(sent, patienceMs, false)
  }

  async function upload(request: Unsigned, bytes: Readable, sizeBytes: number): Promise<IncomingMessage> {
    const headers = { ...request.headers, 'content-length': String(sizeBytes) }
    const sent = await open({ ...request, headers }, uploads)
    /** The first failure is the cause of the others. */
    let cause: unknown = null
    const response = responseOf(sent, uploadedMs, true).catch((error) => {
      cause ??= error
      return null
    })
    const body = async function* (chunks: AsyncIterable<Buffer>) {
      try {
        yield* exactly(sizeBytes)(chunks)
      } catch (error) {
        cause ??= error
        throw error
      }
    }
    const sending = pipeline(bytes, body, sent).catch(() => undefined)
    const received = await response
    if (!received) {
      await sending
      throw cause
    }
    if (!sent.writableFinished) bytes.destroy() // the store does not want the rest
    return received
  }

  function bodyOf(response: IncomingMessage): Readable {
    const body = new PassThrough()
    response.on('error', (error) => body.destroy(unavailable(error)))
    // The socket is idle also when this side does not read. If it has just begun to read again, it waits once more.
    let hasPaused = false
    response.on('pause', () => {
      hasPaused = true
    })
    response.setTimeout(idleMs, () => {
      if (!hasPaused) return void response.destroy(tooSlow(settings, `no byte within ${idleMs / 1_000} s`))
      hasPaused = response.readableFlowing === false
      response.setTimeout(idleMs)
    })
    body.on('close', () => response.destroy())
    return response.pipe(body)
  }

  return {
    signer,
    pathOf: (key) => `${prefix}/${pathOf(key)}`,
    bucketPathOf: (key) => `/${settings.bucket}/${pathOf(key)}`,
    send,
    upload,
    bodyOf,
    close() {
      agent.destroy()
      uploads.destroy()
    },
  }
}

const pathOf = (key: string) => key.split('/').map(encoded).join('/')

/** Reads a short document, such as that of an error; a longer one is cut. */
export async function documentOf({ bodyOf }: S3Client, response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of bodyOf(response)) {
    text += chunk
    if (text.length > longestDocument) break
  }
  return text
}

/** Repeats work that fails with Transient, after a pause. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Transient)) throw error
    }
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { ref: false })
  }
  return await work()
}

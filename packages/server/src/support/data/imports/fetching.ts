import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { BlockList } from 'node:net'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { isDenied } from '../../../platform/files/denied-types.ts'
import { detect, detectionBytes } from '../../../platform/files/type-of-bytes.ts'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { storeBytes } from '../../files/making.ts'
import { faultOfUrl } from '../../integration/webhook-endpoints/destination.ts'
import {
  type AgentRequest,
  type Agents,
  openAgents,
  portOf,
} from '../../integration/webhook-endpoints/transport/agents.ts'
import { defaultLimits } from '../../integration/webhook-endpoints/transport/limits.ts'
import { nameResolver, systemNames } from '../../integration/webhook-endpoints/transport/name-resolution.ts'
import { limitedNames, sharedNames } from '../../integration/webhook-endpoints/transport/name-sharing.ts'
import { openConnection } from '../../integration/webhook-endpoints/transport/opening.ts'

/** A file that was fetched, whose bytes are stored; or the reason why it was not. */
export type Fetched =
  | { id: string; filename: string; content_type: string; size_bytes: number; sha256: string }
  | { missing: string }

/** The faults of literal addresses of attachments, which are forbidden whatever the name service answers. */
export function faultsOfUrls(attachments: unknown, allowed: BlockList): FieldError[] {
  if (!Array.isArray(attachments)) return []
  return attachments.flatMap((each, i): FieldError[] => {
    const url = (each as { url?: unknown } | null)?.url
    const fault = typeof url === 'string' && url !== '' ? faultOfUrl(url, allowed) : null
    return fault ? [{ pointer: `/attachments/${i}/url`, ...fault }] : []
  })
}

const attempts = 3
const attemptMs = 60_000
const pausesMs = [500, 2_000]
const mostRedirects = 5

/** The reason why a file cannot be had, however often it is asked for. */
class Missing extends Error {}

/** Fetches files by the rules of webhooks: from allowed addresses only, which are judged again after each redirect. */
export class Fetcher {
  readonly #directory: string
  readonly #allowed: BlockList
  readonly #agents: Agents
  readonly #closing = new AbortController()
  #count = 0

  constructor(directory: string, allowed: BlockList) {
    this.#directory = directory
    this.#allowed = allowed
    const system = allowed.rules.length > 0 ? limitedNames(systemNames) : null
    const names = sharedNames(nameResolver({ system }))
    const connecting = {
      allowed,
      connectMs: defaultLimits.connectMs,
      resolve: names.resolve,
      secureContext: createSecureContext(),
    }
    this.#agents = openAgents((...target) => openConnection(connecting, ...target), defaultLimits)
  }

  /** Never rejects unless the store is away, or the import is closed. */
  async fetch(
    ctx: Ctx,
    url: string,
    filename: string | undefined,
    denied: readonly string[],
  ): Promise<Fetched> {
    let reason = ''
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0)
        await sleep(pausesMs[attempt - 1], undefined, { signal: this.#closing.signal, ref: false })
      const path = join(this.#directory, `attachment${this.#count++}`)
      try {
        const file = await this.#download(url, path, ctx.services.files.maxBytes)
        const name = nameOf(filename, url)
        const type = await detect(file.head)
        if (isDenied(denied, name, type)) throw new Missing('its type is denied')
        const id = await storeBytes(ctx, path, file.size_bytes)
        return {
          id,
          filename: name,
          content_type: contentTypeOf(type, file.declared),
          size_bytes: file.size_bytes,
          sha256: file.sha256,
        }
      } catch (error) {
        this.#closing.signal.throwIfAborted()
        if (!(error instanceof DownloadError || error instanceof Missing)) throw error
        reason = error.message
        if (error instanceof Missing) break
      } finally {
        await rm(path, { force: true })
      }
    }
    return { missing: reason }
  }

  close(): void {
    this.#closing.abort()
    this.#agents.close()
  }

  async #download(url: string, path: string, maxBytes: number) {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(attemptMs)])
    const response = await this.#open(url, signal).catch((error) => {
      throw error instanceof Missing ? error : new DownloadError(error)
    })
    const hash = createHash('sha256')
    const pieces: Buffer[] = []
    let size = 0
    const counting = new Transform({
      transform(piece: Buffer, _, done) {
        if (size < detectionBytes) pieces.push(piece)
        size += piece.length
        hash.update(piece)
        done(size > maxBytes ? new Missing(`it has more than ${maxBytes} bytes`) : null, piece)
      },
    })
    try {
      await pipeline(response, counting, createWriteStream(path, { mode: 0o600 }), { signal })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Missing || code === 'ENOSPC' || code === 'EACCES') throw error
      throw new DownloadError(error)
    }
    return {
      head: Buffer.concat(pieces).subarray(0, detectionBytes),
      size_bytes: size,
      sha256: hash.digest('hex'),
      declared: response.headers['content-type'] ?? null,
    }
  }

  async #open(first: string, signal: AbortSignal): Promise<IncomingMessage> {
    let url = first
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const fault = faultOfUrl(url, this.#allowed)
      if (fault) throw new Missing(`its URL ${fault.detail}`)
      const response = await this.#get(new URL(url), signal)
      const status = response.statusCode!
      if (status === 200) return response
      response.destroy()
      const { location } = response.headers
      const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined
      if (isRedirect && URL.canParse(location, url)) {
        url = new URL(location, url).href.replace(/#.*/, '')
        continue
      }
      if (status >= 500 || status === 429 || status === 408) throw new Error(`the server answers ${status}`)
      throw new Missing(`the server answers ${status}`)
    }
    throw new Missing('it has too many redirects')
  }

  #get(url: URL, stop: AbortSignal): Promise<IncomingMessage> {
    const options: AgentRequest & { signal: AbortSignal } = {
      agent: this.#agents.of(url),
      protocol: url.protocol,
      hostname: url.hostname,
      port: portOf(url),
      method: 'GET',
      path: url.pathname + url.search,
      headers: { host: url.host, accept: '*/*', connection: 'close' },
      insecureHTTPParser: false,
      signal: stop,
      stop,
    }
    return new Promise((resolve, reject) => {
      request(options, resolve).on('error', reject).end()
    })
  }
}

class DownloadError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message || 'the connection failed', { cause })
  }
}

/** The given name; otherwise the last part of the path. */
function nameOf(filename: string | undefined, url: string): string {
  if (filename !== undefined) return filename
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return (
      decodeURIComponent(last)
        .slice(0, 255) // perhaps half of a character, which goes
        .replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, '')
        .trim() || 'attachment'
    )
  } catch {
    return last.slice(0, 255) || 'attachment'
  }
}

const textTypes = /^(text\/(plain|csv|markdown|calendar)|application\/json)\b/

/** The type of the bytes; of texts, the declared one if it is one of a text. */
function contentTypeOf(type: Awaited<ReturnType<typeof detect>>, declared: string | null): string {
  if (typeof type === 'object') return type.mime
  if (type !== 'text') return 'application/octet-stream'
  return declared !== null && textTypes.test(declared) ? declared.split(';', 1)[0]!.trim() : 'text/plain'
}

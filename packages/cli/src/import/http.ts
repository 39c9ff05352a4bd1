import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pause as pauseFor } from '@backline/sdk/retry.ts'
import type { Json } from '../api/client.ts'
import { CommandError } from '../errors.ts'

export type Query = Record<string, string | number | null | undefined>

/** Reads the API of another product. It waits as long as rate limits ask, and repeats what failed for a time. */
export type SourceClient = {
  /** @throws CommandError for a response that is not 2xx */
  get(path: string, query?: Query): Promise<Json>
  /** As `get`; null for an object that does not exist or is not shown. */
  find(path: string, query?: Query): Promise<Json | null>
  /** Writes the bytes to a file, whole or not at all. The reason why there are none, or null. */
  download(url: string, file: string): Promise<string | null>
}

export type SourceAccess = {
  /** The name of the product, for messages. */
  title: string
  /** Without a slash at the end. */
  base: string
  headers: Record<string, string>
  signal: AbortSignal
  /** Waits; by default with a timer. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

const unavailable = 'source_unavailable'

/** A response that no repetition changes. */
class Refusal extends CommandError {
  readonly status: number

  constructor(message: string, status: number) {
    super(status === 401 || status === 403 ? 'source_forbidden' : 'source_refused', message)
    this.status = status
  }
}

/** About five minutes of failures in a row. */
const mostFailures = 9
const mostFileFailures = 4
const mostAtFirst = 2
const mostRedirects = 5
const mostLimited = 1_000
const firstPauseMs = 500
const longestPauseMs = 60_000
const longestAskedMs = 3_600_000
const [jsonTimeoutMs, fileTimeoutMs] = [120_000, 900_000]

export function openSource({ title, base, headers, signal, pause = pauseFor }: SourceAccess): SourceClient {
  /** Whether anything has answered: an address that is mistyped is told at once. */
  let isReached = false

  async function request<Result>(
    first: URL,
    { timeoutMs, most }: { timeoutMs: number; most: number },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    let [url, failures, limited, redirects] = [first, 0, 0, 0]
    for (;;) {
      let asked: number | null = null
      let failure: string
      try {
        // Credentials go to the product alone: files often lie elsewhere, behind signed addresses.
        const own = url.origin === new URL(base).origin ? headers : {}
        const sent = { 'user-agent': 'backline-import', ...own }
        const answer = await within(timeoutMs, signal, async (ended) => {
          const response = await fetch(url, { headers: sent, signal: ended, redirect: 'manual' })
          isReached = true
          return response.ok ? { result: await read(response) } : { response, text: await response.text() }
        })
        if ('result' in answer) return answer.result
        const { response, text } = answer
        const { status } = response
        const next = status < 400 ? URL.parse(response.headers.get('location') ?? '', url) : null
        if (next && ++redirects <= mostRedirects) {
          url = next
          continue
        }
        failure = `${title} answered ${status} to ${url.pathname}`
        if (status !== 429 && status < 500) throw new Refusal(explained(failure, status, text), status)
        if (status === 429 && ++limited > mostLimited) throw new Refusal(failure, status)
        if (status !== 429) failures++
        asked = askedPauseMs(response.headers)
      } catch (error) {
        if (signal.aborted)
          throw new CommandError('cancelled', 'stopped; run the same command again to continue', error)
        if (error instanceof CommandError) throw error
        failure = failureOf(error as NodeJS.ErrnoException, url)
        failures++
      }
      if (failures > (isReached ? most : mostAtFirst)) throw new CommandError(unavailable, failure)
      const backOff = firstPauseMs * 2 ** Math.max(failures - 1, 0) * (0.5 + Math.random() / 2)
      await pause(asked ?? Math.min(backOff, longestPauseMs), signal).catch(() => undefined)
      ;[url, redirects] = [first, 0]
    }
  }

  /** @throws CommandError for errors that are not the network's */
  function failureOf(error: NodeJS.ErrnoException, url: URL): string {
    const { name, message, syscall = '', cause } = error
    if (/^(?:open|write|rename)$/.test(syscall)) throw new CommandError('folder_not_usable', message, error)
    if (name === 'SyntaxError')
      throw new CommandError(
        'source_refused',
        `${url.origin}${url.pathname} did not answer with JSON; is this ${title}?`,
      )
    return `${title} cannot be reached at ${url.origin}: ${(cause as Error | undefined)?.message ?? message}`
  }

  const get = (path: string, query: Query = {}): Promise<Json> => {
    const url = new URL(base + path)
    for (const [name, value] of Object.entries(query))
      if (value !== null && value !== undefined) url.searchParams.append(name, String(value))
    return request(url, { timeoutMs: jsonTimeoutMs, most: mostFailures }, (response) => response.json())
  }

  return {
    get,
    find: (path, query) =>
      get(path, query).catch((error) => {
        if (error instanceof Refusal && [403, 404, 410].includes(error.status)) return null
        throw error
      }),
    async download(address, file) {
      const url = URL.parse(address, base)
      if (!url || !/^https?:$/.test(url.protocol)) return 'the address is not valid'
      try {
        await request(url, { timeoutMs: fileTimeoutMs, most: mostFileFailures }, async ({ body }) => {
          const bytes = body ? Readable.fromWeb(body) : Readable.from([])
          await pipeline(bytes, createWriteStream(`${file}.part`, { mode: 0o600 }))
          await rename(`${file}.part`, file)
        })
        return null
      } catch (error) {
        await rm(`${file}.part`, { force: true }).catch(() => undefined)
        if (error instanceof Refusal || (error as CommandError).code === unavailable)
          return (error as Error).message
        throw error
      }
    },
  }
}

/** Performs the work, which ends after this time or with the signal. It leaves no timer behind. */
async function within<Result>(
  ms: number,
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const stop = () => ending.abort(signal.reason)
  const timer = setTimeout(() => ending.abort(new Error(`no answer within ${ms / 1000} s`)), ms)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function explained(failure: string, status: number, text: string): string {
  if (status === 401) return `${failure}: the credentials are not valid`
  if (status === 403) return `${failure}: the credentials lack a right`
  const detail = text.replace(/\s+/g, ' ').trim().slice(0, 200)
  return detail && !detail.startsWith('<') ? `${failure}: ${detail}` : failure
}

/** `Retry-After` in seconds or as a date, or the Unix time of `X-RateLimit-Reset`. Null without them. */
function askedPauseMs(headers: Headers): number | null {
  const [after, reset] = [headers.get('retry-after'), headers.get('x-ratelimit-reset')]
  const bounded = (ms: number) => (Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestAskedMs))
  if (after) return bounded(/^[\d.]+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now())
  return reset && Number(reset) > 1e9 ? bounded(Number(reset) * 1000 - Date.now()) : null
}

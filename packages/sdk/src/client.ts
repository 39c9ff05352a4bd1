import { watched } from './body.ts'
import { ApiError, UnexpectedResponseError } from './errors.ts'
import { EventStream } from './event-stream.ts'
import { LineStream } from './line-stream.ts'
import { type Operations, operations } from './operations.generated.ts'
import {
  type BacklineOptions,
  checkRequestOptions,
  type RequestOptions,
  type Settings,
  settingsOf,
} from './options.ts'
import { ListReply, Reply, type WithResponse } from './reply.ts'
import { type Input, type Request, requestOf } from './request.ts'
import { expectMediaType, readBody } from './responses.ts'
import { isTransient, unlessAborted, withRetries } from './retry.ts'
import { attempt } from './transport.ts'

type Name = keyof Operations
/** The input is optional if each of its members is. */
export type CallArguments<N extends Name> =
  Record<never, never> extends Operations[N]['input']
    ? [input?: Operations[N]['input'], options?: RequestOptions]
    : [input: Operations[N]['input'], options?: RequestOptions]

/** A URL of an upload can be used for this time. */
const longestPutMs = 3_600_000

/** A store that is not Backline answers with 500 to what it takes a moment later. */
const isTransientForPut = (error: unknown): boolean =>
  isTransient(error) || (error instanceof UnexpectedResponseError && error.status >= 500)

const isRefusedKey = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** A timer with a longer delay ends at once. */
const longestTimerMs = 2 ** 31 - 1

/** Calls operations by their `operationId`. */
export class Client {
  readonly #settings: Settings

  /** @throws TypeError for options that cannot work */
  constructor(options: BacklineOptions) {
    this.#settings = settingsOf(options)
  }

  /** @throws TypeError at once for an unknown operation or option, or a missing path parameter */
  call<N extends Name>(name: N, ...[input = {}, options = {}]: CallArguments<N>): Operations[N]['reply'] {
    if (!Object.hasOwn(operations, name)) throw new TypeError(`There is no operation "${name}".`)
    checkRequestOptions(name, options)
    return this.#start(name, input, options) as Operations[N]['reply']
  }

  #start(name: Name, input: Input, options: RequestOptions): unknown {
    const kind = operations[name].reply
    if (kind === 'events') return this.#events(name, input, options)
    const request = this.#requestOf(name, input, options)
    if (kind === 'lines') return this.#lines(request, options)
    if (kind === 'bytes') return new Reply(this.#content(request, options))
    const exchange = this.#exchange(request, options)
    if (kind !== 'list') return new Reply(exchange)
    const pageAfter = (cursor: string) =>
      this.#start(name, { ...input, query: { ...input.query, cursor } }, options) as Promise<never>
    return new ListReply(exchange as Promise<never>, pageAfter)
  }

  #events(name: Name, input: Input, options: RequestOptions): EventStream {
    const { after = null, ...query } = input.query ?? {}
    const request = this.#requestOf(name, { ...input, query }, options)
    const open = (lastEventId: string | null, maxRetries: number | undefined) => {
      if (lastEventId !== null) request.headers.set('last-event-id', lastEventId)
      return this.#open(request, { ...options, maxRetries })
    }
    const { maxRetries } = options
    return new EventStream({ ...this.#limitsOf(request, options), maxRetries, open }, after as string | null)
  }

  #lines(request: Request, options: RequestOptions): LineStream<unknown> {
    const open = () => this.#open(request, options)
    return new LineStream({ ...this.#limitsOf(request, options), open })
  }

  #requestOf(name: Name, input: Input, options: RequestOptions): Request {
    return requestOf(name, operations[name], input, options, this.#settings)
  }

  #limitsOf({ url }: Request, { signal, timeoutMs = this.#settings.timeoutMs }: RequestOptions) {
    return { url, signal, timeoutMs: Math.min(timeoutMs, longestTimerMs) }
  }

  #exchange(request: Request, options: RequestOptions): Promise<WithResponse<unknown>> {
    return this.#send(request, options, async (response) => ({
      data: await readBody(response, request),
      response,
    }))
  }

  /**
   * Sends bytes to a URL that needs no credential: all of them or none arrive. Ends with the signal, or after an hour.
   * @throws BacklineError
   */
  put(url: string, headers: Record<string, string>, body: Blob, options: RequestOptions): Promise<void> {
    const request = { method: 'PUT', url, headers: new Headers(headers), body, mayBeElsewhere: false }
    const read = async (response: Response) => void (await response.body?.cancel())
    const limits = { ...options, timeoutMs: longestPutMs }
    return this.#retrying(() => this.#attempt(request, limits, read), options, isTransientForPut)
  }

  async #content(request: Request, options: RequestOptions): Promise<WithResponse<Response>> {
    const response = await this.#send(request, options, (response) => response)
    const data = watched(response, this.#limitsOf(request, options))
    return { data, response: data }
  }

  /** Sends a request whose response is read in pieces. */
  #open(request: Request, options: RequestOptions): Promise<Response> {
    return this.#send(request, options, (response) => expectMediaType(response, request))
  }

  #send<Result>(
    request: Request,
    options: RequestOptions,
    read: (response: Response) => Promise<Result> | Result,
  ): Promise<Result> {
    const { signal } = options
    const send = (key: string) => {
      const headers = new Headers(request.headers)
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${key}`)
      return this.#attempt({ ...request, headers }, options, read)
    }
    return this.#retrying(() => this.#withKey(send, signal), options)
  }

  /** Sends a request with the key; once more if the API refuses the key and there is another. */
  async #withKey<Result>(
    send: (key: string) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { credential } = this.#settings
    const key = await unlessAborted(credential.current(), signal)
    try {
      return await send(key)
    } catch (error) {
      if (!isRefusedKey(error)) throw error
      const next = await unlessAborted(credential.after(key), signal)
      if (next === key) throw error
      return send(next)
    }
  }

  #attempt<Result>(
    request: Request,
    options: RequestOptions,
    read: (response: Response) => Promise<Result> | Result,
  ): Promise<Result> {
    const limits = { ...this.#limitsOf(request, options), fetch: this.#settings.fetch }
    return attempt(request, limits, read)
  }

  #retrying<Result>(
    send: () => Promise<Result>,
    { maxRetries = this.#settings.maxRetries, signal }: RequestOptions,
    mayPass?: (error: unknown) => boolean,
  ): Promise<Result> {
    return withRetries(send, { maxRetries, signal, mayPass })
  }
}

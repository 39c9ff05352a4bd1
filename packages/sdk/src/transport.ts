import { BacklineError, connectionErrorOf, TimeoutError } from './errors.ts'
import type { Request } from './request.ts'
import { refusalOf } from './responses.ts'

export type AttemptOptions = {
  fetch(url: string, init: RequestInit): Promise<Response>
  signal: AbortSignal | undefined
  timeoutMs: number
}

/**
 * Sends a request once and reads the response.
 * @param read reads a successful response; the timeout includes it
 * @throws BacklineError, or the reason of `signal`
 */
export async function attempt<Result>(
  { url, mayBeElsewhere, ...request }: Request,
  { fetch, signal, timeoutMs }: AttemptOptions,
  read: (response: Response) => Promise<Result> | Result,
): Promise<Result> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  try {
    const send = (to: string, init: object) =>
      fetch(to, { ...init, signal: controller.signal } as RequestInit)
    // A redirect that is followed can turn a POST into a GET.
    const first = await send(url, { ...request, redirect: 'manual' })
    const response = mayBeElsewhere ? await followed(first, { ...request, url }, send) : first
    if (!response.ok) throw await refusalOf(response, { ...request, url })
    return await read(response)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (isLate) throw new TimeoutError(`${request.method} ${url} took longer than ${timeoutMs} ms.`)
    throw error instanceof BacklineError ? error : connectionErrorOf(error, url)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Headers that a server other than the API may see. */
const harmless = ['accept', 'range', 'if-range', 'if-none-match']

/** Follows a redirect to the bytes of a file, without the credential: it is for the API alone. */
async function followed(
  response: Response,
  { url, ...request }: Omit<Request, 'mayBeElsewhere'>,
  send: (to: string, init: object) => Promise<Response>,
): Promise<Response> {
  // A page cannot see the target. Browsers leave `Authorization` out when they follow to another origin.
  if (response.type === 'opaqueredirect') return send(url, { ...request, redirect: 'follow' })
  const location = response.headers.get('location')
  if (response.status !== 302 || location === null) return response
  await response.body?.cancel()
  const headers = new Headers()
  for (const name of harmless) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return send(new URL(location, url).href, { method: 'GET', headers, redirect: 'follow' })
}

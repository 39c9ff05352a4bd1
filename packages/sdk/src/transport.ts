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
  { url, ...request }: Request,
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
    // A redirect that is followed can turn a POST into a GET.
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: controller.signal,
    } as RequestInit)
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

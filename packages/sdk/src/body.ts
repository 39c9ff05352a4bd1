import { ConnectionError, connectionErrorOf } from './errors.ts'

type Limits = {
  url: string
  signal: AbortSignal | undefined
  /** The longest time without data. */
  timeoutMs: number
}

/**
 * Decodes a body as it arrives. Ends at the end of the body or with the signal; closes the connection when the caller
 * leaves early.
 * @throws ConnectionError if the connection is lost or silent
 */
export async function* textOf(
  { body }: Response,
  { url, signal, timeoutMs }: Limits,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body!.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await within(timeoutMs, url, reader.read())
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } catch (error) {
    throw error instanceof ConnectionError ? error : connectionErrorOf(error, url)
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/**
 * The response with a body that ends with an error as soon as the connection is lost or silent, or the signal is
 * aborted: a part of the bytes never looks like all of them.
 */
export function watched(response: Response, { url, signal, timeoutMs }: Limits): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  const stopWatching = () => signal?.removeEventListener('abort', cancel)
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { done, value } = await within(timeoutMs, url, reader.read())
        signal?.throwIfAborted()
        if (!done) return controller.enqueue(value)
        stopWatching()
        controller.close()
      } catch (error) {
        stopWatching()
        cancel()
        if (signal?.aborted) throw signal.reason
        throw error instanceof ConnectionError ? error : connectionErrorOf(error, url)
      }
    },
    cancel(reason: unknown) {
      stopWatching()
      return reader.cancel(reason)
    },
  }
  const stream = new ReadableStream(source, { highWaterMark: 0 })
  return new Response(stream, { status, statusText, headers })
}

async function within<Value>(ms: number, url: string, value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionError(`${new URL(url).origin} sent nothing for ${ms} ms.`)),
      ms,
    )
  })
  try {
    return await Promise.race([value, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Splits pieces of text into lines, which end with LF, CR LF or CR. Omits a last line without an end. */
export async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    // A CR at the end may be half of a CR LF.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    yield* lines
  }
}

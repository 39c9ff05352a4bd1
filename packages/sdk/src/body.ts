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

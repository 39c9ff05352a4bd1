import type { IncomingMessage } from 'node:http'

/**
 * The lines of a header as received: Node's `headers` joins or drops repeated ones. `headersDistinct` would build a
 * list for every header, which stays in memory with the request.
 * @param name in lower case
 */
export function linesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const lines: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const each = rawHeaders[i]!
    if (each.length === name.length && each.toLowerCase() === name) lines.push(rawHeaders[i + 1]!)
  }
  return lines
}

import type { CustomFetch } from 'openid-client'
import { OidcError } from './faults.ts'

/** Documents of providers have some kilobytes. */
const mostBytes = 2 ** 20

/** `fetch` for responses of at most 1 MiB. The signal in the options ends it also while the body arrives. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new OidcError('unavailable', `a response has more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, statusText, headers })
}

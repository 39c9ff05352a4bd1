import { domainToASCII } from 'node:url'

/** RFC 1123 section 2.1: labels of letters, digits and inner hyphens; the last one is no number, as in addresses. */
const hostName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one form of a host name, in lower case and ASCII: `BÜCHER.example` is `xn--bcher-kva.example` (UTS 46). Null for
 * texts that are no host name.
 */
export function asciiHostName(text: string): string | null {
  const ascii = domainToASCII(text)
  return ascii.length <= 253 && hostName.test(ascii) ? ascii : null
}

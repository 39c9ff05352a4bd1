import { type BlockList, isIP } from 'node:net'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import { judgeAddress } from './global-addresses.ts'

/** An invalid part of a URL. `detail` continues a sentence that begins with the URL. */
export type UrlFault = { code: FieldErrorCode; detail: string }

const maxUrlLength = 2048

/** Host names of cloud metadata services. Some resolve to global addresses, which the address check would allow. */
export const metadataNames = new Set([
  'metadata', // Google, short
  'metadata.google.internal',
  'metadata.goog',
  'instance-data', // EC2
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'api.metadata.cloud.ibm.com',
  'rancher-metadata',
])

/** The addresses of `localhost` (RFC 6761, section 6.3), without a DNS query. */
const loopbackAddresses = ['127.0.0.1', '::1']

/**
 * Parsers accept `https:/\host` and remove line breaks, so that people would read another host than the one requested.
 */
const readsAsParsed = /^[a-z]+:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu

/**
 * DNS names (RFC 1035, section 2.3.4) and underscores, which real hosts have. A trailing dot has been removed before.
 */
export const hostName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

/**
 * Returns the reason why a URL is not allowed; null if it is. Names are resolved when the sender connects. The check
 * runs when an endpoint is saved and before every attempt, because the configuration may have changed since.
 * @param allowed networks of the configuration, which may be private and use plain `http:`
 */
export function faultOfUrl(url: string, allowed: BlockList): UrlFault | null {
  if (url.length > maxUrlLength) {
    return { code: 'too_long', detail: `must have at most ${maxUrlLength} characters` }
  }
  if (!readsAsParsed.test(url) || !URL.canParse(url)) {
    return { code: 'bad_format', detail: 'must be an absolute https:// URL' }
  }
  const { protocol, username, password, href, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return refused('must begin with https://')
  if (username || password) return refused('must not contain a user name or password')
  if (href.includes('#')) return refused('must not contain a fragment')
  const host = nameOf(hostname)
  const addresses = addressesIn(host)
  return (
    faultOfHost(host, addresses, allowed) ??
    (protocol === 'http:' && !mayBePlain(host, addresses, allowed)
      ? refused('must begin with https://')
      : null)
  )
}

function faultOfHost(host: string, addresses: string[], allowed: BlockList): UrlFault | null {
  if (metadataNames.has(host)) return refused(`must not be the metadata service ${host}`)
  if (addresses.length > 0) {
    const isForbidden = addresses.every((address) => judgeAddress(address, allowed) === 'forbidden')
    return isForbidden ? refused(`must not be the forbidden address ${host}; ${waysToReach}`) : null
  }
  return hostName.test(host) ? null : { code: 'bad_format', detail: 'must have a valid host name' }
}

/** The ways to a receiver on the own machine or network. */
const waysToReach =
  'use `backline listen` during development, or allow its network by BACKLINE_WEBHOOK_ALLOWED_NETWORKS'

/**
 * Names that only a private network resolves: without a dot, and those of RFC 6762 appendix G, RFC 8375, and ICANN's
 * `.internal`. Their addresses are known when the sender connects. A public name is not expected to have an allowed
 * address.
 */
const ownName = /^[^.]+$|\.(internal|local|lan|intranet|private|corp|home|home\.arpa|test)$/

const mayBePlain = (host: string, addresses: string[], allowed: BlockList): boolean =>
  addresses.length > 0
    ? addresses.some((address) => judgeAddress(address, allowed) === 'allowed')
    : allowed.rules.length > 0 && ownName.test(host)

/** Returns the host of a parsed URL without brackets and trailing dot: an address in canonical form, or a name. */
export const nameOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Returns the addresses of a host that needs no DNS: itself or loopback; none if DNS must be queried. */
export function addressesIn(host: string): string[] {
  if (isIP(host)) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? loopbackAddresses : []
}

const refused = (detail: string): UrlFault => ({ code: 'not_allowed', detail })

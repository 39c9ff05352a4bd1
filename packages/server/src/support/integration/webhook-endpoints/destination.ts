import { type BlockList, isIP } from 'node:net'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import { judgeAddress } from './global-addresses.ts'

/** What is wrong with a URL; `detail` continues a sentence that begins with it. */
export type UrlFault = { code: FieldErrorCode; detail: string }

const maxUrlLength = 2048

/** Names under which clouds offer metadata; some resolve to global addresses, which tell nothing. */
const metadataNames = new Set([
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

/** What `localhost` stands for (RFC 6761, section 6.3), here without asking anybody. */
const loopbackAddresses = ['127.0.0.1', '::1']

/** Parsers forgive `https:/\host` and drop line breaks, so that people would see another host than is asked. */
const readsAsParsed = /^[a-z]+:\/\/[^\s\p{Cc}\\/?#][^\s\p{Cc}\\]*$/iu

/** DNS names (RFC 1035, section 2.3.4), and underscores, which hosts do have. A trailing dot is gone by now. */
const hostName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

/**
 * Why nothing may be sent to a URL, as far as it tells by itself; null when nothing speaks against it. Where a name
 * leads is found out when connecting. Asked when an endpoint is saved and again before every attempt, because the
 * configuration may have changed since.
 * @param allowed networks of the configuration, whose addresses may be private and take plain `http:`
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
    return isForbidden ? refused(`must not be the forbidden address ${host}`) : null
  }
  return hostName.test(host) ? null : { code: 'bad_format', detail: 'must have a valid host name' }
}

/**
 * Names that only a network of one's own gives: without a dot, and those of RFC 6762 appendix G, RFC 8375, and ICANN's
 * `.internal`. What they lead to is known only when connecting; that a public name leads to an allowed address is not expected.
 */
const ownName = /^[^.]+$|\.(internal|local|lan|intranet|private|corp|home|home\.arpa|test)$/

const mayBePlain = (host: string, addresses: string[], allowed: BlockList): boolean =>
  addresses.length > 0
    ? addresses.some((address) => judgeAddress(address, allowed) === 'allowed')
    : allowed.rules.length > 0 && ownName.test(host)

/** A host of a parsed URL without brackets and trailing dot: an address in its normal form, or a name. */
export const nameOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The addresses that a host stands for without DNS: itself, or loopback; none when DNS has to be asked. */
export function addressesIn(host: string): string[] {
  if (isIP(host)) return [host]
  return host === 'localhost' || host.endsWith('.localhost') ? loopbackAddresses : []
}

const refused = (detail: string): UrlFault => ({ code: 'not_allowed', detail })

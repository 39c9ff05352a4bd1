import { type BlockList, isIPv6 } from 'node:net'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import {
  addressesIn,
  hostName,
  metadataNames,
  nameOf,
} from '../../integration/webhook-endpoints/destination.ts'
import { judgeAddress } from '../../integration/webhook-endpoints/global-addresses.ts'

/** `tls`: from the first byte. `starttls`: required before anything else. `none`: in allowed networks only. */
export type Security = 'tls' | 'starttls' | 'none'

/** The relay of a mailbox. Without a user name the client does not authenticate. */
export type RelaySettings = {
  host: string
  port: number
  security: Security
  username: string | null
  password: string | null
}

export type SettingsFault = {
  field: 'host' | 'port' | 'security'
  code: FieldErrorCode
  /** Continues a sentence that begins with the field. */
  detail: string
}

/** SMTP, and submission with and without TLS from the first byte (RFC 5321, 6409, 8314); 2525 is an alternative. */
const ports = [25, 465, 587, 2525]

/** Characters that end or begin another part of a URL. */
const notInHost = /[\s\p{Cc}/\\?#@:%[\]]/u

/**
 * Returns a host as connections use it: a name in lower case and Punycode, or an address in canonical form; null if it
 * is neither.
 */
export function canonicalHost(host: string): string | null {
  if (host.length > 255) return null
  const inUrl = isIPv6(host) && !host.includes('%') ? `[${host}]` : notInHost.test(host) ? '' : host
  if (inUrl === '' || !URL.canParse(`https://${inUrl}`)) return null
  const name = nameOf(new URL(`https://${inUrl}`).hostname)
  return isIPv6(name) || hostName.test(name) ? name : null
}

/**
 * Returns the reason why settings are not allowed; null if they are. Names are judged when the client connects, except
 * for those that need no DNS. The check runs when a mailbox is saved and before every connection.
 * @param allowed networks of the configuration, which may be private, use any port and no TLS
 */
export function faultOfSmtp(
  settings: Pick<RelaySettings, 'host' | 'port' | 'security'>,
  allowed: BlockList,
): SettingsFault | null {
  const host = canonicalHost(settings.host)
  if (host === null) return { field: 'host', code: 'bad_format', detail: 'must be a host name or an address' }
  if (metadataNames.has(host)) {
    return { field: 'host', code: 'not_allowed', detail: `must not be the metadata service ${host}` }
  }
  const addresses = addressesIn(host)
  const verdicts = addresses.map((address) => judgeAddress(address, allowed))
  const reachable = verdicts.filter((verdict) => verdict !== 'forbidden')
  if (addresses.length === 0) return null
  if (reachable.length === 0) {
    const detail = `must not be the forbidden address ${host}, unless BACKLINE_SMTP_ALLOWED_NETWORKS contains it`
    return { field: 'host', code: 'not_allowed', detail }
  }
  return reachable.every((verdict) => verdict === 'allowed') ? null : faultOutside(settings)
}

/** Returns the reason why settings are not allowed outside of the allowed networks; null if they are. */
export function faultOutside({
  port,
  security,
}: Pick<RelaySettings, 'port' | 'security'>): SettingsFault | null {
  if (!ports.includes(port)) {
    return { field: 'port', code: 'not_allowed', detail: `must be one of ${ports.join(', ')}` }
  }
  if (security === 'none') {
    return { field: 'security', code: 'not_allowed', detail: 'must be `tls` or `starttls`' }
  }
  return null
}

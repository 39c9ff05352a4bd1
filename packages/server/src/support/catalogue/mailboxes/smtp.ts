import { type BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import {
  addressesIn,
  hostName,
  metadataNames,
  nameOf,
} from '../../integration/webhook-endpoints/destination.ts'
import { judgeAddress } from '../../integration/webhook-endpoints/global-addresses.ts'

export const securities = ['tls', 'starttls', 'none'] as const

/** The relay of a mailbox. Its password is stored apart, encrypted. */
export type SmtpSettings = {
  /** As `smtpHostOf` returns it. */
  host: string
  port: number
  security: (typeof securities)[number]
  /** Null without authentication; there is then no password either. */
  username: string | null
}

/** The ports of relays and submission (RFC 6409, RFC 8314), and the one that providers add where 25 is blocked. */
const usualPorts = [25, 465, 587, 2525]

export type SmtpFault = { field: 'host' | 'port' | 'security'; code: FieldErrorCode; detail: string }

/** Letters of any script, digits, and the other characters of host names. `domainToASCII` ends a host at `/`. */
const hostLike = /^[\p{L}\p{M}\p{N}._-]+$/u

/** The one form of a host: an address, or a name in lower case and ASCII. Null for other texts. */
export function smtpHostOf(text: string): string | null {
  if (isIP(text) === 6) return text.includes('%') ? null : nameOf(new URL(`http://[${text}]`).hostname)
  // Numbers such as `127.1` become the address that resolvers take them for.
  const name = hostLike.test(text) ? nameOf(domainToASCII(text)) : ''
  return hostName.test(name) ? name : null
}

/**
 * Returns the reasons why a mailbox must not use a relay. Hosts obey the rules of webhooks. A name is resolved when it
 * is connected to: if a network is allowed, port and TLS of a name are judged then.
 * @param allowed networks of the configuration, in which any address, any port and no TLS are allowed
 */
export function faultsOfSmtp(
  { host, port, security }: Pick<SmtpSettings, 'host' | 'port' | 'security'>,
  allowed: BlockList,
): SmtpFault[] {
  const name = smtpHostOf(host)
  if (name === null)
    return [{ field: 'host', code: 'bad_format', detail: 'must be a host name or an IP address' }]
  if (metadataNames.has(name)) return [refused('host', `must not be the metadata service ${name}`)]
  const verdicts = addressesIn(name).map((address) => judgeAddress(address, allowed))
  if (verdicts.length > 0 && verdicts.every((verdict) => verdict === 'forbidden')) {
    const detail = `must not be the forbidden address ${name}; BACKLINE_SMTP_ALLOWED_NETWORKS allows networks`
    return [refused('host', detail)]
  }
  const mayBeAllowed = verdicts.length > 0 ? verdicts.includes('allowed') : allowed.rules.length > 0
  return mayBeAllowed ? [] : faultsOutside({ port, security })
}

/** Returns the reasons why a mailbox must not use a relay outside of the allowed networks. */
export const faultsOutside = ({ port, security }: Pick<SmtpSettings, 'port' | 'security'>): SmtpFault[] => [
  ...(usualPorts.includes(port) ? [] : [refused('port', `must be one of ${usualPorts.join(', ')}`)]),
  ...(security === 'none' ? [refused('security', 'must be tls or starttls')] : []),
]

const refused = (field: SmtpFault['field'], detail: string): SmtpFault => ({
  field,
  code: 'not_allowed',
  detail,
})

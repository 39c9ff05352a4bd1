import { getDomain } from 'tldts'
import { canonicalDomain } from '../../catalogue/mailboxes/addresses.ts'
import type { Authentication } from '../../desk/messages/email/queries.ts'
import { authservIdOf, type MethodResult, resultsIn } from './authentication-results.ts'

/** The part of a mail that decides. */
export type ClaimedSender = {
  /** The values of Authentication-Results as they came, the topmost first. */
  authenticationResults: readonly string[]
  /** The addresses of all From headers. */
  from: readonly { address: string }[]
  fromHeaders: number
}

const nothing: Authentication = {
  authserv_id: null,
  dmarc: null,
  dkim: null,
  spf: null,
  verified: false,
  basis: null,
}

/**
 * Judges whose a mail is by the topmost Authentication-Results of a trusted authserv-id: each server adds its header
 * above those that were there, so all others may be forged. A mail is verified by `dmarc=pass` for the domain of
 * `From`, or, where no DMARC is reported, by `dkim=pass` of that domain or a parent of it.
 * @param trusted authserv-ids of one's own servers; `*.` in front stands for all below a domain
 */
export function authenticationOf(mail: ClaimedSender, trusted: readonly string[]): Authentication {
  const own = trusted.map((id) => id.toLowerCase())
  for (const header of mail.authenticationResults) {
    const id = authservIdOf(header)
    if (id !== null && own.some((pattern) => isMeant(pattern, id))) return judged(mail, id, header)
  }
  return nothing
}

/** `*.example.com` stands for the names below `example.com`, and not for itself. */
const isMeant = (pattern: string, id: string): boolean =>
  pattern.startsWith('*.') ? id.endsWith(pattern.slice(1)) && id.length > pattern.length - 1 : id === pattern

function judged(mail: ClaimedSender, authserv_id: string, header: string): Authentication {
  const { results, isSound } = resultsIn(header)
  const of = (method: string) => results.filter((result) => result.method === method)
  const [dmarc, dkim, spf] = [of('dmarc'), of('dkim'), of('spf')]
  const domain = domainOfSender(mail)
  const verified =
    isSound &&
    domain !== null &&
    (dmarc.length > 0
      ? dmarc.length === 1 && passes(dmarc[0]!) && domainIn(dmarc[0]!, 'header.from') === domain
      : dkim.some((result) => passes(result) && speaksFor(domainIn(result, 'header.d'), domain)))
  return {
    authserv_id,
    dmarc: dmarc[0]?.result ?? null,
    // A mail has several signatures, of which one is enough.
    dkim: (dkim.find(passes) ?? dkim[0])?.result ?? null,
    spf: spf[0]?.result ?? null,
    verified,
    basis: verified ? 'dmarc' : null,
  }
}

const passes = ({ result }: MethodResult): boolean => result === 'pass'

/** The domain of the only `From` address; null if there are several, which readers may show differently. */
function domainOfSender({ from, fromHeaders }: ClaimedSender): string | null {
  const [only, ...others] = from
  if (!only || others.length > 0 || fromHeaders > 1) return null
  const at = only.address.lastIndexOf('@')
  return at > 0 && at < only.address.length - 1 ? plainDomain(only.address.slice(at + 1)) : null
}

const domainIn = ({ properties }: MethodResult, name: string): string | null => {
  const value = properties.get(name)
  return value ? plainDomain(value) : null
}

const plainDomain = (domain: string): string => canonicalDomain(domain.replace(/\.$/, ''))

/**
 * True for the domain itself and its parents up to the one that was registered. A public suffix, such as `co.uk` or
 * `github.io`, does not speak for what strangers have registered below it (https://publicsuffix.org).
 */
function speaksFor(signer: string | null, domain: string): boolean {
  if (signer === null) return false
  return (
    signer === domain ||
    (domain.endsWith(`.${signer}`) && getDomain(signer, { allowPrivateDomains: true }) !== null)
  )
}

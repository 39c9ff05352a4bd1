import { domainToASCII } from 'node:url'
import { Email, type ValueFault, WithCheck } from '../../../platform/resource/schema.ts'
import { asciiHostName } from '../../people/companies/host-names.ts'

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
export const maxAddressLength = 254

/** Letters of any script, digits, and the other characters of host names. `domainToASCII` ends a host at `/`. */
const domainLike = /^[\p{L}\p{M}\p{N}._-]+$/u

/** Characters that a local part has only in quotes (RFC 5322 section 3.2.3). */
const specials = /[()<>[\]:;,\\"\u007f]/

const partsOf = (address: string): [local: string, domain: string] => {
  const at = address.lastIndexOf('@')
  return [address.slice(0, at), address.slice(at + 1)]
}

/**
 * The one form in which addresses are stored and compared: in lower case, with the domain in ASCII (UTS 46), so that
 * `Info@BÜCHER.example` is `info@xn--bcher-kva.example`.
 */
export function canonicalAddress(address: string): string {
  const [local, domain] = partsOf(address)
  return `${local.toLowerCase()}@${canonicalDomain(domain)}`
}

/** The one form of the domain of an address. */
export const canonicalDomain = (domain: string): string =>
  (domainLike.test(domain) && domainToASCII(domain)) || domain.toLowerCase()

/** An e-mail address, which is stored in its canonical form. */
export const MailAddress = (notes: { description?: string } = {}) => WithCheck(Email(notes), faultsOfLength)

/** The address of a mailbox: a local part without quotes and `+`, and a host name. */
export const MailboxAddress = (notes: { description?: string } = {}) =>
  WithCheck(Email(notes), (address) => {
    const [local, domain] = partsOf(address)
    if (address.includes('+'))
      return [badFormat('must not contain +: mail to the address with +token reaches it as well')]
    if (specials.test(local) || !domainLike.test(domain) || asciiHostName(domain) === null)
      return [badFormat('must be an address without quotes, at a host name')]
    return faultsOfLength(address)
  })

/** The form in ASCII can be longer than the address. */
const faultsOfLength = (address: string): ValueFault[] =>
  canonicalAddress(address).length <= maxAddressLength
    ? []
    : [{ code: 'too_long', detail: `must have at most ${maxAddressLength} characters, its domain in ASCII` }]

const badFormat = (detail: string): ValueFault => ({ code: 'bad_format', detail })

/** An address without its `+token`, which is null without one. */
export function withoutToken(address: string): { address: string; token: string | null } {
  const canonical = canonicalAddress(address)
  const [, local, token, domain] = /^([^+@]+)\+([^@]*)(@[^@]+)$/.exec(canonical) ?? []
  return local === undefined
    ? { address: canonical, token: null }
    : { address: local + domain, token: token! }
}

import { type BlockList, isIP } from 'node:net'
import { addressList, ipv6Bytes } from '../../../platform/kernel/networks.ts'

/**
 * Decides whether a request on behalf of a customer may go to an address. `global`: reachable on the public internet.
 * `allowed`: in a network that the configuration lists. `forbidden`: neither, or never allowed.
 */
export type AddressVerdict = 'global' | 'allowed' | 'forbidden'

/** IPv4 that is not globally reachable: IANA IPv4 Special-Purpose Address Registry (RFC 6890, RFC 8190), multicast. */
const specialIpv4 = addressList([
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private use (RFC 1918)
  '100.64.0.0/10', // shared by carriers (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link local (RFC 3927)
  '172.16.0.0/12', // private use (RFC 1918)
  '192.0.0.0/24', // IETF protocol assignments (RFC 6890); its two anycast addresses serve no HTTP
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private use (RFC 1918)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved (RFC 1112), and the broadcast address (RFC 919)
])

/** All IPv6 that IANA assigns as global unicast (RFC 4291, section 2.4); excludes loopback, local and multicast. */
const unicastIpv6 = addressList(['2000::/3'])

/** The part of it that is not globally reachable: IANA IPv6 Special-Purpose Address Registry. */
const specialIpv6 = addressList([
  '2001::/23', // IETF protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID; its anycast serves no HTTP
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056): leads to the IPv4 address inside
  '3ffe::/16', // the former 6bone (RFC 3701)
  '3fff::/20', // documentation (RFC 9637)
])

/** Metadata services of clouds: a client of these acts as this machine, and may obtain its credentials. */
const metadataServices = addressList([
  '169.254.169.0/24', // EC2, and most other clouds; its neighbours are the cloud's DNS and clock
  '169.254.170.0/24', // AWS: credentials of tasks (.2) and pods (.23)
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure WireServer, a global address
  '192.0.0.192', // Oracle Cloud Classic
  'fd00:ec2::/32', // AWS: instances (::254), pods (::23)
  'fd20:ce::254', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Akamai
  'fd00:100::100:200', // Alibaba
  'fe80::a9fe:a9fe', // OpenStack
])

/** Positions of an embedded IPv4 address in an IPv6 address of translators and tunnels. */
const carriedAt = [
  [2, 3, 4, 5], // 6to4
  [4, 5, 6, 7], // NAT64 with a prefix of 32 bits (RFC 6052, section 2.2), a Teredo server
  [5, 6, 7, 9], // … of 40 bits
  [6, 7, 9, 10], // … of 48 bits
  [7, 9, 10, 11], // … of 56 bits
  [9, 10, 11, 12], // … of 64 bits
  [12, 13, 14, 15], // … of 96 bits, mapped, compatible, translated (SIIT), ISATAP
] as const

const mappedPrefix = '00000000000000000000ffff' // ::ffff:0:0/96 (RFC 4291, section 2.5.5.2)
const nat64Prefix = '0064ff9b0000000000000000' // 64:ff9b::/96 (RFC 6052)

/**
 * @param address as `net.isIP` accepts it, also with a zone; anything else is forbidden
 * @param allowed networks that are exempt; metadata services stay forbidden
 */
export function judgeAddress(address: string, allowed: BlockList): AddressVerdict {
  const version = isIP(address)
  if (version === 0) return 'forbidden'
  if (version === 4) return judgeIpv4(address, allowed)

  const [plain, zone] = address.split('%') as [string, string?]
  const bytes = ipv6Bytes(plain)
  if (metadataServices.check(plain, 'ipv6') || carriesMetadataService(bytes)) return 'forbidden'
  if (allowed.check(plain, 'ipv6')) return 'allowed'
  if (zone !== undefined) return 'forbidden' // only local addresses need a zone
  const prefix = bytes.subarray(0, 12).toString('hex')
  const inside = bytes.subarray(12).join('.')
  if (prefix === mappedPrefix) return judgeIpv4(inside, allowed)
  // RFC 6052, section 3.1: this prefix is for global addresses only, even if the IPv4 address is allowed.
  const isGlobal =
    prefix === nat64Prefix
      ? !specialIpv4.check(inside)
      : unicastIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6')
  return isGlobal ? 'global' : 'forbidden'
}

function judgeIpv4(address: string, allowed: BlockList): AddressVerdict {
  if (metadataServices.check(address)) return 'forbidden'
  if (allowed.check(address)) return 'allowed'
  return specialIpv4.check(address) ? 'forbidden' : 'global'
}

/** Checks every position, because a network may use any prefix for its translation to IPv4. */
function carriesMetadataService(bytes: Buffer): boolean {
  const teredoClient = bytes.subarray(12).map((byte) => byte ^ 0xff) // RFC 4380, section 4
  const carried = carriedAt.map((places) => places.map((place) => bytes[place]).join('.'))
  return [...carried, teredoClient.join('.')].some((ipv4) => metadataServices.check(ipv4))
}

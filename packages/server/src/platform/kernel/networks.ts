import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Parses a CIDR or a single address; null for other texts. */
export function parseCidr(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null
  const widest = version === 4 ? 32 : 128
  const prefix = bits === undefined ? widest : Number(bits)
  return prefix <= widest ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : null
}

export function addressList(cidrs: string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const parsed = parseCidr(cidr)
    if (parsed) list.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  return list
}

/** An IPv4 address in the form of a dual-stack socket, as IPv4. */
export const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Also recognizes IPv4 addresses in the form of a dual-stack socket. */
export function contains(list: BlockList, address: string): boolean {
  const plain = withoutMapping(address)
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * @param address an IPv6 address that `net.isIP` accepts, without a zone
 *
 * `URL` writes an ending in dotted decimals as groups; ipaddr.js would read `::192.0.2.1` as `::ffff:192.0.2.1`.
 */
export function ipv6Bytes(address: string): Buffer {
  const { hostname } = new URL(`http://[${address}]`)
  return Buffer.from(ipaddr.IPv6.parse(hostname.slice(1, -1)).toByteArray())
}

/** The network of one client: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = withoutMapping(address)
  if (isIP(plain) !== 6) return plain
  return ipv6Bytes(plain.split('%', 1)[0]!).toString('hex', 0, 8)
}

/** The wider network of an address, as a CIDR that names no single person: 24 bits of IPv4, 48 of IPv6. */
export function wideNetworkOf(address: string): string {
  const plain = withoutMapping(address)
  if (isIP(plain) !== 6) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  const bytes = ipv6Bytes(plain.split('%', 1)[0]!)
  return `${ipaddr.fromByteArray([...bytes.fill(0, 6)]).toString()}/48`
}

import { BlockList, isIP } from 'node:net'

/** Reads CIDRs or single addresses; null when one of them is neither. */
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

/** IPv4 addresses are recognised in the form that a dual-stack socket gives them, too. */
export function contains(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Random } from '@backline/test/random.ts'
import { addressList } from '../../../platform/kernel/networks.ts'
import { judgeAddress } from './global-addresses.ts'

const nothing = addressList([])
const everything = addressList(['0.0.0.0/0', '::/0'])

/** The first and last address of every block that is not global. */
const edges: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
]

const forbiddenIpv6 = [
  '::',
  '::1',
  '::8.8.8.8', // IPv4-compatible
  '::ffff:0:8.8.8.8', // translated (SIIT)
  '64:ff9b:1::808:808', // NAT64 of one network
  '64:ff9b::1:808:808', // beyond the /96
  '100::1', // discard
  '100:0:0:1::1', // dummy
  '200::1',
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001::1', // Teredo
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:1::1', // anycast
  '2001:2::1', // benchmarking
  '2001:3::1', // AMT
  '2001:10::1', // ORCHID
  '2001:20::1', // ORCHIDv2
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::1',
  '2001:DB8:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
  '2002::1',
  '2002:808:808::1', // 6to4, also of a global address
  '3ffe::1',
  '3fff::1',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::1',
  '5f00::1', // segment routing
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1', // site local
  'ff02::1',
  'ff0e::1', // multicast of global scope
  '2606:4700::1111%eth0',
]

const globalIpv6 = [
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700::1111',
  '2620:fe::fe',
  '2a00:1450:4001:830::200e',
  '3fff:1000::1',
]

const metadataIpv4 = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]

const metadataIpv6 = [
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200',
  'fe80::a9fe:a9fe',
  'fe80::a9fe:a9fe%eth0',
]

const partsOf = (ipv4: string) => ipv4.split('.').map(Number) as [number, number, number, number]
const next = (ipv4: string, step: 1 | -1) => {
  const [a, b, c, d] = partsOf(ipv4)
  const value = ((a << 24) | (b << 16) | (c << 8) | d) + step
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')
}
const pairs = (ipv4: string, invert = false) => {
  const hex = partsOf(ipv4).map((part) => (invert ? part ^ 255 : part).toString(16).padStart(2, '0'))
  return `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
}

/** Spellings of an IPv6 address that ends with an IPv4 address. */
const spellings = (prefix: string, ipv4: string) => [
  `${prefix}${ipv4}`,
  `${prefix}${pairs(ipv4)}`,
  `${prefix}${pairs(ipv4)}`.toUpperCase(),
]
const mapped = (ipv4: string) => [
  ...spellings('::ffff:', ipv4),
  ...spellings('0:0:0:0:0:ffff:', ipv4),
  ...spellings('0000:0000:0000:0000:0000:ffff:', ipv4),
]
const nat64 = (ipv4: string) => [
  ...spellings('64:ff9b::', ipv4),
  ...spellings('0064:ff9b:0:0:0:0:', ipv4),
  ...spellings('64:ff9b::0:', ipv4),
]

describe('an address is', () => {
  for (const [first, last] of edges) {
    test(`forbidden from ${first} to ${last}, global before and after`, () => {
      for (const address of [first, last]) assert.equal(judgeAddress(address, nothing), 'forbidden', address)
      const outside = [next(first, -1), next(last, 1)].filter((a) => !/^(255|0)\./.test(a))
      for (const address of outside) assert.equal(judgeAddress(address, nothing), 'global', address)
    })
  }

  for (const address of forbiddenIpv6) {
    test(`forbidden: ${address}`, () => assert.equal(judgeAddress(address, nothing), 'forbidden'))
  }

  for (const address of globalIpv6) {
    test(`global: ${address}`, () => assert.equal(judgeAddress(address, nothing), 'global'))
  }

  for (const text of [
    '',
    ' ',
    '10.0.0',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4%1',
    '[::1]',
    '::1::',
    '::%',
    'localhost',
  ]) {
    test(`forbidden when it is none: ${JSON.stringify(text)}`, () => {
      assert.equal(judgeAddress(text, everything), 'forbidden')
    })
  }
})

describe('IPv4 in IPv6', () => {
  const random = new Random('global addresses')
  const any = () => Array.from({ length: 4 }, () => random.below(256)).join('.')
  const inside = () => {
    const [first] = random.pick(edges)
    const [a, b] = partsOf(first)
    return [a, b, random.below(256), random.below(256)].join('.')
  }
  const samples = [...Array.from({ length: 2_000 }, any), ...Array.from({ length: 500 }, inside)]

  test('is judged by the IPv4 address when it is mapped, in every spelling', () => {
    const list = addressList(['10.0.0.0/8', '192.168.0.0/24', '8.0.0.0/7'])
    for (const ipv4 of samples) {
      const verdict = judgeAddress(ipv4, list)
      for (const address of mapped(ipv4)) assert.equal(judgeAddress(address, list), verdict, address)
    }
  })

  test('is global through NAT64 exactly when the IPv4 address is, even if that is allowed', () => {
    for (const ipv4 of samples) {
      const verdict = judgeAddress(ipv4, nothing)
      for (const address of nat64(ipv4)) {
        assert.equal(judgeAddress(address, nothing), verdict, address)
        assert.equal(judgeAddress(address, addressList([ipv4])), verdict, address)
      }
    }
  })

  test('is never global in a tunnel or a deprecated form', () => {
    for (const ipv4 of samples) {
      const forms = [`2002:${pairs(ipv4)}::1`, `2001:0:${pairs(ipv4)}::1`, `::${ipv4}`, `::ffff:0:${ipv4}`]
      for (const address of forms) assert.equal(judgeAddress(address, nothing), 'forbidden', address)
    }
  })
})

describe('the allow-list', () => {
  test('lifts the rule for its networks alone', () => {
    const list = addressList(['10.1.0.0/16', '127.0.0.1', '::1', 'fd12::/16', 'fe80::/10'])
    for (const address of [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '127.0.0.1',
      '::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
    ])
      assert.equal(judgeAddress(address, list), 'allowed', address)
    for (const address of ['10.2.0.1', '127.0.0.2', '::2', 'fd13::1', '::ffff:10.2.0.1', '64:ff9b::10.1.2.3'])
      assert.equal(judgeAddress(address, list), 'forbidden', address)
    assert.equal(judgeAddress('8.8.8.8', list), 'global')
  })

  test('also matches global addresses', () => {
    assert.equal(judgeAddress('8.8.8.8', addressList(['8.8.8.0/24'])), 'allowed')
    assert.equal(judgeAddress('2606:4700::1', addressList(['2606:4700::/32'])), 'allowed')
  })

  for (const ipv4 of metadataIpv4) {
    test(`never opens the metadata service at ${ipv4}, in any form`, () => {
      const [a, b, c, d] = partsOf(ipv4).map((part) => part.toString(16).padStart(2, '0'))
      const forms = [
        ipv4,
        ...mapped(ipv4),
        ...nat64(ipv4),
        `::${ipv4}`,
        `::ffff:0:${ipv4}`,
        `2002:${pairs(ipv4)}::1`,
        `2001:0:${pairs(ipv4)}::1`, // Teredo server
        `2001:0:1:2:3:4:${pairs(ipv4, true)}`, // Teredo client
        `2a00:1::200:5efe:${ipv4}`, // ISATAP
        `64:ff9b:1:${a}${b}:${c}:${d}00::`, // NAT64 /48
        `64:ff9b:1:ff${a}:${b}:${c}${d}::`, // … /56
        `64:ff9b:1:0:${a}:${b}${c}:${d}00:0`, // … /64
        `2a00:1:${pairs(ipv4)}::`, // … /32 of a network's own
        `2a00:1:ff${a}:${b}${c}:${d}::`, // … /40
        `2a00:1:2:3:4:5:${pairs(ipv4)}`, // … /96
      ]
      for (const form of forms) {
        assert.equal(judgeAddress(form, everything), 'forbidden', form)
        assert.equal(judgeAddress(form, addressList([form])), 'forbidden', form)
      }
    })
  }

  for (const address of metadataIpv6) {
    test(`never opens the metadata service at ${address}`, () => {
      assert.equal(judgeAddress(address, everything), 'forbidden')
      assert.equal(judgeAddress(address.toUpperCase().replace('ETH', 'eth'), everything), 'forbidden')
    })
  }
})

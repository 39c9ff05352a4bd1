import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressList } from '../../../platform/kernel/networks.ts'
import { faultOfUrl } from './destination.ts'

const nothing = addressList([])
const everything = addressList(['0.0.0.0/0', '::/0'])

/** Spellings of hosts that are not allowed. */
const forbiddenHosts = [
  // 127.0.0.1
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0X7F000001',
  '0x7f.0x0.0x0.0x1',
  '0x7f.1',
  '0177.0.0.1',
  '0177.0.0.0x1',
  '0000177.0.0.01',
  '127.0x0.00.1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.\u00ad1',
  '127.255.255.254',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::1]',
  // names of loopback
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost。',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc%61lhost',
  'loc\u00adalhost',
  'app.localhost',
  'a.b.localhost.',
  // unspecified
  '0',
  '0.0.0.0',
  '0x0',
  '00000000000',
  '[::]',
  '[::ffff:0.0.0.0]',
  // private
  '10.0.0.1',
  '012.0.0.1',
  '0xa.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '0xc0a80101',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::192.168.0.1]',
  '[2002:c0a8:101::1]',
  '[fc00::1]',
  '[fd12:3456:789a:1::1]',
  // link local, carriers, tests, documentation
  '169.254.1.1',
  '[fe80::1]',
  '[fec0::1]',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '192.0.0.1',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  // multicast, reserved, broadcast
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  '0xffffffff',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[5f00::1]',
]

/** Metadata services, forbidden even if their network is allowed. */
const metadataHosts = [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '0xa9.254.0251.254',
  '169.16689662',
  '169.254.43518',
  '１６９.２５４.１６９.２５４',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::1]',
  '[::169.254.169.254]',
  '[fe80::a9fe:a9fe]',
  '169.254.170.2',
  '169.254.170.23',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[FD20:CE::254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'metadata',
  'metadata.google.internal',
  'Metadata.Google.Internal.',
  'metadata。google。internal',
  'ｍｅｔａｄａｔａ.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.platformequinix.com',
]

const codeOf = (url: string, allowed = nothing) => faultOfUrl(url, allowed)?.code ?? null

describe('a URL that is saved', () => {
  for (const host of [...forbiddenHosts, ...metadataHosts]) {
    test(`may not lead to ${host}`, () => {
      assert.equal(codeOf(`https://${host}/hook`), 'not_allowed')
      assert.equal(codeOf(`https://${host}:8443`), 'not_allowed')
      assert.equal(codeOf(`http://${host}/hook`), 'not_allowed')
    })
  }

  for (const host of metadataHosts) {
    test(`may not lead to ${host}, even if its network is allowed`, () => {
      for (const scheme of ['http', 'https'])
        assert.equal(codeOf(`${scheme}://${host}/`, everything), 'not_allowed')
    })
  }

  for (const host of forbiddenHosts) {
    test(`may lead to ${host} when that is allowed, also by http`, () => {
      for (const scheme of ['http', 'https']) assert.equal(codeOf(`${scheme}://${host}/`, everything), null)
    })
  }

  for (const url of [
    'https://example.com',
    'https://example.com./a?b=c&d=%20',
    'https://EXAMPLE.com:8443/a//b',
    'https://hooks.münchen.example/ä',
    'https://a_b.example/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://receiver/', // names without a dot are resolved at delivery
    'https://receiver.local/',
    'https://receiver.internal/',
    'https://10.0.0.1.nip.io/',
    'https://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'https://mylocalhost/',
  ]) {
    test(`may be ${url}`, () => assert.equal(codeOf(url), null))
  }

  const faults: [url: string, code: string][] = [
    ['', 'bad_format'],
    ['example.com', 'bad_format'],
    ['/hook', 'bad_format'],
    ['//example.com/hook', 'bad_format'],
    ['https:', 'bad_format'],
    ['https://', 'bad_format'],
    ['https:///hook', 'bad_format'],
    ['https:example.com', 'bad_format'],
    ['https:/example.com', 'bad_format'],
    ['https:\\\\example.com', 'bad_format'],
    ['https://example.com\\@10.0.0.1', 'bad_format'],
    [' https://example.com', 'bad_format'],
    ['https://example.com ', 'bad_format'],
    ['https://exam\nple.com', 'bad_format'],
    ['https://example.com/\t', 'bad_format'],
    ['https://example.com/a\u0000b', 'bad_format'],
    ['https://exa mple.com', 'bad_format'],
    ['https://a..example.com', 'bad_format'],
    ['https://.example.com', 'bad_format'],
    ['https://example.com..', 'bad_format'],
    ['https://./', 'bad_format'],
    ['https://a!b.example/', 'bad_format'],
    [`https://${'a'.repeat(64)}.example/`, 'bad_format'],
    [`https://${'a.'.repeat(127)}example/`, 'bad_format'],
    ['https://1.2.3.256/', 'bad_format'],
    ['https://1.2.3.4.5/', 'bad_format'],
    ['https://0x1ffffffff/', 'bad_format'],
    ['https://09.1.1.1/', 'bad_format'],
    ['https://[::1', 'bad_format'],
    ['https://[fe80::1%25eth0]/', 'bad_format'],
    ['https://[fe80::1%eth0]/', 'bad_format'],
    ['https://example.com:99999/', 'bad_format'],
    ['https://user@example.com/', 'not_allowed'],
    ['https://user:password@example.com/', 'not_allowed'],
    ['https://:password@example.com/', 'not_allowed'],
    ['https://example.com@10.0.0.1/', 'not_allowed'],
    ['https://8.8.8.8#@10.0.0.1/', 'not_allowed'],
    ['https://example.com/#', 'not_allowed'],
    ['https://example.com/#part', 'not_allowed'],
    ['http://example.com/', 'not_allowed'],
    ['HTTP://8.8.8.8/', 'not_allowed'],
    ['ftp://example.com/', 'not_allowed'],
    ['wss://example.com/', 'not_allowed'],
    ['file:///etc/passwd', 'bad_format'],
    ['javascript:alert(1)', 'bad_format'],
    ['data:text/plain,hello', 'bad_format'],
    [`https://example.com/${'a'.repeat(2029)}`, 'too_long'],
  ]
  for (const [url, code] of faults) {
    test(`is ${code}: ${JSON.stringify(url.slice(0, 60))}`, () => assert.equal(codeOf(url), code))
  }

  test('may have 2048 characters', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`
    assert.equal(url.length, 2048)
    assert.equal(codeOf(url), null)
  })

  test('gives an error that continues a sentence', () => {
    assert.deepEqual(faultOfUrl('https://0xa.1/', nothing), {
      code: 'not_allowed',
      detail:
        'must not be the forbidden address 10.0.0.1; use `backline listen` during development, or allow its network by BACKLINE_WEBHOOK_ALLOWED_NETWORKS',
    })
    assert.equal(faultOfUrl('http://example.com/', nothing)?.detail, 'must begin with https://')
  })
})

describe('plain http', () => {
  const some = addressList(['10.0.0.0/8', '::1'])

  test('is allowed for addresses on the allow-list', () => {
    assert.equal(codeOf('http://10.1.2.3/', some), null)
    assert.equal(codeOf('http://[::ffff:10.1.2.3]/', some), null)
    assert.equal(codeOf('http://8.8.8.8/', some), 'not_allowed')
    assert.equal(codeOf('http://192.168.0.1/', some), 'not_allowed')
  })

  test('is allowed for a private name if an allow-list exists; its addresses are checked when connecting', () => {
    for (const host of ['receiver', 'app.internal', 'hooks.corp', 'pi.home.arpa', 'receiver.test:8080']) {
      assert.equal(codeOf(`http://${host}/`, some), null, host)
      assert.equal(codeOf(`http://${host}/`, nothing), 'not_allowed', host)
    }
  })

  test('is not allowed for public names, with any allow-list', () => {
    for (const host of ['example.com', 'hooks.example.org', 'internal.example.com', 'xn--nxasmq6b.com'])
      assert.equal(codeOf(`http://${host}/`, some), 'not_allowed', host)
  })

  test('is allowed for localhost if one of its addresses is on the list', () => {
    assert.equal(codeOf('http://localhost:8080/', some), null)
    assert.equal(codeOf('http://localhost/', addressList(['127.0.0.0/8'])), null)
    assert.equal(codeOf('https://app.localhost/', addressList(['127.0.0.1'])), null)
    assert.equal(codeOf('http://localhost/', addressList(['10.0.0.0/8'])), 'not_allowed')
  })
})

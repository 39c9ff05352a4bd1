import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressList } from '../../../platform/kernel/networks.ts'
import { faultsOfSmtp, smtpHostOf } from './smtp.ts'

const nothing = addressList([])
const local = addressList(['127.0.0.0/8', 'fd00::/8'])

describe('the one form of a host', () => {
  for (const [text, host] of [
    ['SMTP.Example.COM', 'smtp.example.com'],
    ['smtp.example.com.', 'smtp.example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['mail_relay', 'mail_relay'],
    ['192.0.2.1', '192.0.2.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['1.2.3.4.5', null],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[::1]', null],
    ['fe80::1%eth0', null],
    ['smtp.example.com:25', null],
    ['smtp.example.com/path', null],
    ['user@smtp.example.com', null],
    ['%31', null],
    ['a b', null],
    ['a\r\nb', null],
    ['.', null],
    ['a..b', null],
    [`${'a'.repeat(64)}.example`, null],
  ] as const)
    test(`of ${JSON.stringify(text)} is ${host}`, () => assert.equal(smtpHostOf(text), host))
})

describe('faults of a relay', () => {
  for (const [host, port, security, allowed, expected] of [
    ['smtp.example.com', 25, 'starttls', nothing, []],
    ['smtp.example.com', 465, 'tls', nothing, []],
    ['smtp.example.com', 587, 'starttls', nothing, []],
    ['smtp.example.com', 2525, 'tls', nothing, []],
    ['8.8.8.8', 465, 'tls', nothing, []],
    ['smtp.example.com', 26, 'tls', nothing, ['port not_allowed']],
    ['smtp.example.com', 465, 'none', nothing, ['security not_allowed']],
    ['8.8.8.8', 80, 'none', nothing, ['port not_allowed', 'security not_allowed']],
    ['8.8.8.8', 80, 'none', local, ['port not_allowed', 'security not_allowed']],
    ['127.0.0.1', 25, 'tls', nothing, ['host not_allowed']],
    ['127.1', 25, 'tls', nothing, ['host not_allowed']],
    ['localhost', 25, 'tls', nothing, ['host not_allowed']],
    ['mail.localhost', 25, 'tls', nothing, ['host not_allowed']],
    ['10.0.0.1', 25, 'tls', local, ['host not_allowed']],
    ['169.254.169.254', 25, 'tls', addressList(['0.0.0.0/0']), ['host not_allowed']],
    ['metadata.google.internal', 25, 'tls', addressList(['0.0.0.0/0']), ['host not_allowed']],
    ['::1', 25, 'tls', nothing, ['host not_allowed']],
    ['::ffff:127.0.0.1', 25, 'tls', nothing, ['host not_allowed']],
    ['not a host', 80, 'none', nothing, ['host bad_format']],
    // In an allowed network, and for names that may be in one.
    ['127.0.0.1', 8025, 'none', local, []],
    ['fd00::25', 8025, 'none', local, []],
    ['localhost', 8025, 'none', local, []],
    ['relay.internal', 8025, 'none', local, []],
  ] as const)
    test(`${host}:${port} ${security}, ${allowed === nothing ? 'no network' : 'a network'} allowed: ${expected.join(', ') || 'none'}`, () => {
      const faults = faultsOfSmtp({ host, port, security }, allowed)
      assert.deepEqual(
        faults.map(({ field, code }) => `${field} ${code}`),
        expected,
      )
    })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authentication } from '../../desk/messages/email/queries.ts'
import { authenticationOf } from './authentication.ts'

const sender = { from: [{ address: 'ada@example.com' }], fromHeaders: 1 }

const judge = (headers: string | string[], { from = 'ada@example.com', trusted = ['mx.own.example'] } = {}) =>
  authenticationOf(
    { authenticationResults: [headers].flat(), from: [{ address: from }], fromHeaders: 1 },
    trusted,
  )

const passing = 'mx.own.example; dmarc=pass header.from=example.com'
const forged = 'mx.own.example; dmarc=fail header.from=example.com'

describe('DMARC verifies the domain of From alone', () => {
  for (const [title, header, verified] of [
    ['the same domain', passing, true],
    ['in any case, with a dot at the end', 'MX.Own.example; DMARC=Pass Header.From=EXAMPLE.com.', true],
    ['quoted', 'mx.own.example; dmarc="pass" header.from="example.com"', true],
    ['another domain', 'mx.own.example; dmarc=pass header.from=example.net', false],
    ['a parent', 'mx.own.example; dmarc=pass header.from=com', false],
    ['a subdomain', 'mx.own.example; dmarc=pass header.from=mail.example.com', false],
    ['a domain that ends likewise', 'mx.own.example; dmarc=pass header.from=notexample.com', false],
    ['no domain', 'mx.own.example; dmarc=pass', false],
    ['a domain of another property', 'mx.own.example; dmarc=pass policy.from=example.com', false],
    ['two domains', 'mx.own.example; dmarc=pass header.from=example.com header.from=evil.example', false],
    [
      'the same domain twice',
      'mx.own.example; dmarc=pass header.from=example.com header.from=example.com',
      false,
    ],
    ['a failure', forged, false],
    ['no policy', 'mx.own.example; dmarc=none header.from=example.com', false],
    ['bestguesspass', 'mx.own.example; dmarc=bestguesspass header.from=example.com', false],
    ['a pass beside a failure', `${forged}; dmarc=pass header.from=example.com`, false],
    ['two passes', `${passing}; dmarc=pass header.from=example.com`, false],
    ['a failure with an aligned signature', `${forged}; dkim=pass header.d=example.com`, false],
    ['no result', 'mx.own.example; dmarc=temperror; dkim=pass header.d=example.com', false],
    ['a later version of the method', 'mx.own.example; dmarc/2=pass header.from=example.com', false],
    ['this version of the method', 'mx.own.example; dmarc/1=pass header.from=example.com', true],
  ] as const)
    test(`${verified ? 'verified' : 'not verified'}: ${title}`, () => {
      assert.equal(judge(header).verified, verified)
      assert.equal(judge(header).basis, verified ? 'dmarc' : null)
    })
})

describe('DKIM verifies where no DMARC is reported', () => {
  for (const [title, signer, from, verified] of [
    ['the same domain', 'example.com', 'ada@example.com', true],
    ['a parent', 'example.com', 'ada@mail.eu.example.com', true],
    ['a parent below a suffix of two labels', 'shop.co.uk', 'ada@mail.shop.co.uk', true],
    ['a subdomain', 'mail.example.com', 'ada@example.com', false],
    ['a domain that ends likewise', 'ple.com', 'ada@example.com', false],
    ['a top-level domain', 'com', 'ada@example.com', false],
    ['a suffix of two labels', 'co.uk', 'ada@bank.co.uk', false],
    ['a suffix with a wildcard', 'kawasaki.jp', 'ada@shop.x.kawasaki.jp', false],
    ['a suffix of a company', 'github.io', 'ada@someone.github.io', false],
    ['a suffix of a company itself', 'uk.com', 'ada@victim.uk.com', false],
    ['an empty domain', '""', 'ada@example.com', false],
    ['a dot', '.', 'ada@example.com', false],
    ['an address', '[192.0.2.1]', 'ada@[192.0.2.1]', true],
    ['an international domain in ASCII', 'xn--bcher-kva.example', 'ada@mail.bücher.example', true],
  ] as const)
    test(`${verified ? 'verified' : 'not verified'}: signed by ${title}`, () =>
      assert.equal(judge(`mx.own.example; dkim=pass header.d=${signer}`, { from }).verified, verified))

  for (const [title, results, verified] of [
    ['one of several signatures', 'dkim=fail header.d=example.com; dkim=pass header.d=example.com', true],
    ['one aligned among others', 'dkim=pass header.d=esp.example; dkim=pass header.d=example.com', true],
    ['a failure', 'dkim=fail header.d=example.com', false],
    ['the identity instead of the domain', 'dkim=pass header.i=@example.com', false],
    [
      'a failed aligned one beside a foreign pass',
      'dkim=fail header.d=example.com; dkim=pass header.d=x.example',
      false,
    ],
    ['two domains in one result', 'dkim=pass header.d=example.com header.d=x.example', false],
    ['SPF alone', 'spf=pass smtp.mailfrom=ada@example.com', false],
    ['SPF with the property of DKIM', 'spf=pass header.d=example.com header.from=example.com', false],
    ['ARC', 'arc=pass header.d=example.com header.from=example.com', false],
    ['no method', 'none', false],
  ] as const)
    test(`${verified ? 'verified' : 'not verified'}: ${title}`, () =>
      assert.equal(judge(`mx.own.example; ${results}`).verified, verified))
})

describe('only the topmost header of a trusted authserv-id counts', () => {
  for (const [title, headers, trusted, id] of [
    ['one below another one of the same id', [forged, passing], ['mx.own.example'], 'mx.own.example'],
    [
      'a foreign one above is passed over',
      [`x.example${passing.slice(14)}`, forged],
      ['mx.own.example'],
      'mx.own.example',
    ],
    ['nobody is believed by default', [passing], [], null],
    ['a foreign id', ['evil.example; dmarc=pass header.from=example.com'], ['mx.own.example'], null],
    ['a longer id', [`${passing.replace('own.example', 'own.example.evil.test')}`], ['mx.own.example'], null],
    ['a name below, without a wildcard', [`a.${passing}`], ['mx.own.example'], null],
    ['the domain of a wildcard itself', [passing], ['*.mx.own.example'], null],
    [
      'a name that ends likewise, with a wildcard',
      [passing.replace('own', 'notown')],
      ['*.own.example'],
      null,
    ],
    ['an id in a comment', [`(${passing}) evil.example; none`], ['mx.own.example'], null],
    ['an id behind another one', [`evil.example ${passing}`], ['mx.own.example'], null],
    ['an id behind two others', [`evil.example 1 ${passing}`], ['mx.own.example'], null],
    ['no id', ['dmarc=pass header.from=example.com'], ['dmarc'], null],
    ['an empty header', ['', ' ', ';', '()'], ['mx.own.example'], null],
    ['an id that is not closed', [`"${passing}`], ['mx.own.example'], null],
  ] as const)
    test(`not verified: ${title}`, () => {
      const { verified, authserv_id } = judge([...headers], { trusted: [...trusted] })
      assert.deepEqual([verified, authserv_id], [false, id])
    })

  for (const [title, headers, trusted] of [
    ['the topmost above a forged one', [passing, forged], ['mx.own.example']],
    ['a trusted one below a foreign one', [`x.example; dmarc=fail`, passing], ['mx.own.example']],
    ['in any case', [passing], ['MX.OWN.Example']],
    ['below the domain of a wildcard', [passing], ['*.own.example']],
    ['far below it', [passing], ['*.example']],
    ['a quoted id', [passing.replace('mx.own.example', '"mx.own.example"')], ['mx.own.example']],
    ['with its version', [passing.replace(';', ' 1;')], ['mx.own.example']],
    ['with comments', [passing.replace(';', ' (a; \\) (b)) 1 (c);')], ['mx.own.example']],
  ] as const)
    test(`verified: ${title}`, () =>
      assert.equal(judge([...headers], { trusted: [...trusted] }).verified, true))

  test('a later version of the header counts, and reports nothing', () => {
    const { authserv_id, dmarc, verified } = judge([passing.replace(';', ' 2;'), passing])
    assert.deepEqual([authserv_id, dmarc, verified], ['mx.own.example', null, false])
  })
})

describe('texts of others within a header prove nothing', () => {
  const hidden = 'dmarc=pass header.from=example.com'
  for (const [title, results] of [
    ['in a quoted local part', `spf=pass smtp.mailfrom="; ${hidden}; x"@evil.example`],
    ['behind an escaped quotation mark', `spf=pass smtp.mailfrom="\\"; ${hidden}"@evil.example`],
    ['in a comment', `spf=pass (; ${hidden};) smtp.mailfrom=evil.example`],
    ['in a nested comment', `spf=pass (a (b) ; ${hidden}) smtp.mailfrom=evil.example`],
    ['behind an escaped bracket', `spf=pass (a \\) ; ${hidden}) smtp.mailfrom=evil.example`],
    ['before a comment that is not closed', `${hidden} (`],
    ['before a quotation that is not closed', `${hidden} policy.x="`],
    ['before words that belong to nothing', `${hidden} or so`],
    ['behind words that belong to nothing', `spf=pass smtp.mailfrom=a b; ${hidden}`],
    ['before a part without a value', `${hidden}; dkim=`],
    ['before a part without a name', `${hidden}; =pass`],
    ['as a value', `spf="${hidden}"`],
    ['behind an equals sign', `spf==${hidden}`],
    ['as a property of another method', `spf=pass ${hidden}`],
  ] as const)
    test(`not verified: ${title}`, () => assert.equal(judge(`mx.own.example; ${results}`).verified, false))
})

test('never with several From addresses or headers, nor without one', () => {
  const of = (from: string[], fromHeaders: number) =>
    authenticationOf(
      { authenticationResults: [passing], from: from.map((address) => ({ address })), fromHeaders },
      ['mx.own.example'],
    ).verified
  assert.equal(of(['ada@example.com'], 1), true)
  for (const [from, headers] of [
    [['ada@example.com', 'eve@evil.example'], 1],
    [['ada@example.com', 'ada@example.com'], 2],
    [['ada@example.com'], 2],
    [[], 0],
    [['example.com'], 1],
    [['@example.com'], 1],
    [['ada@'], 1],
    [['ada@example.com@evil.example'], 1],
  ] as const)
    assert.equal(of([...from], headers), false, from.join())
})

describe('headers of mail servers are reported as they are', () => {
  for (const [title, header, expected] of [
    [
      'Google',
      `mx.own.example;
       dkim=pass header.i=@example.com header.s=20230601 header.b=AbC/1d+x;
       arc=pass (i=1 spf=pass spfdomain=x.example dkim=pass dkdomain=x.example);
       spf=pass (google.com: domain of ada@example.com designates 192.0.2.1 as permitted sender) smtp.mailfrom=ada@example.com;
       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.com`,
      { dmarc: 'pass', dkim: 'pass', spf: 'pass', verified: true },
    ],
    [
      'Microsoft',
      'mx.own.example; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=pass (signature was verified) header.d=example.com;dmarc=pass action=none header.from=example.com;compauth=pass reason=100',
      { dmarc: 'pass', dkim: 'pass', spf: 'pass', verified: true },
    ],
    [
      'OpenDKIM',
      'mx.own.example;\r\n\tdkim=pass (2048-bit key; unprotected) header.d=example.com header.i=@example.com header.a=rsa-sha256 header.s=s1 header.b="a/b=="',
      { dmarc: null, dkim: 'pass', spf: null, verified: true },
    ],
    [
      'OpenDMARC',
      'mx.own.example; dmarc=fail (p=reject dis=none) header.from=example.com',
      { dmarc: 'fail', dkim: null, spf: null, verified: false },
    ],
    [
      'rspamd',
      'mx.own.example;\n\tdkim=none;\n\tdmarc=pass (policy=none) header.from=example.com;\n\tspf=pass (mx.own.example: domain of ada@example.com designates 2001:db8::1 as permitted sender) smtp.mailfrom=ada@example.com',
      { dmarc: 'pass', dkim: 'none', spf: 'pass', verified: true },
    ],
    [
      'Exim',
      'mx.own.example; iprev=pass (relay.example.com) smtp.remote-ip=192.0.2.1; spf=softfail smtp.mailfrom=example.com; dkim=pass header.d=example.com header.s=s1 header.a=rsa-sha256; dmarc=pass header.from=example.com',
      { dmarc: 'pass', dkim: 'pass', spf: 'softfail', verified: true },
    ],
    [
      'a semicolon at the end',
      'mx.own.example; dmarc=pass header.from=example.com;',
      { dmarc: 'pass', dkim: null, spf: null, verified: true },
    ],
    [
      'RFC 8601, appendix B.7',
      'mx.own.example (foobar) 1 (baz); dkim (Because I like it) / 1 (One yay) = (wait for it) fail policy (A dot can go here) . (like that) expired (this surprised me) = (as I was not expecting it) 1362471462',
      { dmarc: null, dkim: 'fail', spf: null, verified: false },
    ],
    ['nothing', 'mx.own.example; none', { dmarc: null, dkim: null, spf: null, verified: false }],
  ] satisfies [string, string, Partial<Authentication>][])
    test(title, () => {
      assert.partialDeepStrictEqual(judge(header), { ...expected, authserv_id: 'mx.own.example' })
    })
})

describe('a header of 256 KiB is read once', () => {
  const long = 262_144
  for (const [title, part] of [
    ['open brackets', '('],
    ['closed brackets', '()'],
    ['quotation marks', '"'],
    ['escapes', '\\'],
    ['semicolons', ';'],
    ['equals signs', '='],
    ['words', 'a '],
    ['dots', '. '],
    ['pairs', 'a=b '],
    ['adjacent values', 'a="b"'],
    ['methods', ';dkim=pass header.d=x'],
  ] as const)
    test(title, () => {
      const text = part.repeat(long / part.length)
      for (const header of [text, `mx.own.example; ${text}`, `mx.own.example; dmarc=pass ${text}`])
        assert.equal(judge(Array.from({ length: 4 }, () => header)).verified, false)
    })

  test('so are 50,000 foreign ones', () => {
    const authenticationResults = Array.from({ length: 50_000 }, (_, i) => `x${i}.example; dmarc=pass`)
    const { verified } = authenticationOf({ ...sender, authenticationResults }, ['mx.own.example'])
    assert.equal(verified, false)
  })
})

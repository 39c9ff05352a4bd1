import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { composeMail, type MailAttachment, type MailParts } from './composing.ts'

const usual: MailParts = {
  from: { address: 'desk@example.com', name: 'Example Desk' },
  to: [{ address: 'ada@example.org', name: 'Ada' }],
  subject: 'Hello',
  messageId: '<0123456789@example.com>',
  date: new Date('2026-11-28T01:02:03Z'),
  text: 'Hello Ada\n',
  html: '<p>Hello Ada</p>',
}

const compose = async (parts: Partial<MailParts> = {}) =>
  (await buffer(composeMail({ ...usual, ...parts }).stream())).toString('latin1')

const file = (given: Partial<MailAttachment> = {}): MailAttachment => ({
  filename: 'a.txt',
  contentType: 'text/plain',
  contentId: null,
  inline: false,
  content: async () => Readable.from([Buffer.from('attached')]),
  ...given,
})

/** The header of the mail, unfolded: names and values. */
function headersOf(mail: string): [name: string, value: string][] {
  const head = mail.slice(0, mail.indexOf('\r\n\r\n')).replace(/\r\n[ \t]/g, ' ')
  return head.split('\r\n').map((line) => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
}

const header = (mail: string, name: string) => headersOf(mail).find(([each]) => each === name)?.[1]

/** Content types in their order, with the depth of the part. */
const typesOf = (mail: string) => [...mail.matchAll(/^Content-Type: ([\w/.+-]+)/gm)].map(([, type]) => type)

test('a mail has the headers that were given, and its date in UTC', async () => {
  const mail = await compose({
    replyTo: { address: 'desk+token@example.com' },
    cc: [{ address: 'bob@example.org' }, { address: 'eve@example.org', name: 'Eve, of "Example"' }],
    inReplyTo: 'first@example.org',
    references: ['<zero@example.org>', 'first@example.org'],
    automatic: 'auto-replied',
  })
  assert.deepEqual(Object.fromEntries(headersOf(mail)), {
    'Auto-Submitted': 'auto-replied',
    'X-Auto-Response-Suppress': 'All',
    From: 'Example Desk <desk@example.com>',
    To: 'Ada <ada@example.org>',
    Cc: 'bob@example.org, "Eve, of \\"Example\\"" <eve@example.org>',
    'Reply-To': 'desk+token@example.com',
    'In-Reply-To': '<first@example.org>',
    References: '<zero@example.org> <first@example.org>',
    Subject: 'Hello',
    'Message-ID': '<0123456789@example.com>',
    Date: 'Sat, 28 Nov 2026 01:02:03 +0000',
    'MIME-Version': '1.0',
    'Content-Type': header(mail, 'Content-Type'),
  })
})

test('a mail that a person wrote says nothing about automation', async () => {
  assert.doesNotMatch(await compose(), /^(Auto-Submitted|X-Auto)/m)
})

describe('the structure', () => {
  const image = file({ filename: 'i.png', contentType: 'image/png', contentId: 'i1', inline: true })
  const cases: [name: string, parts: Partial<MailParts>, types: string[]][] = [
    ['of text alone is one part', { html: null }, ['text/plain']],
    ['of text and HTML is an alternative', {}, ['multipart/alternative', 'text/plain', 'text/html']],
    [
      'of HTML with an inline image relates them',
      { attachments: [image] },
      ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
    ],
    [
      'with files is mixed',
      { attachments: [file(), image] },
      [
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'multipart/related',
        'text/html',
        'image/png',
        'text/plain',
      ],
    ],
    [
      'of text with a file is mixed',
      { html: null, attachments: [file()] },
      ['multipart/mixed', 'text/plain', 'text/plain'],
    ],
  ]
  for (const [name, parts, types] of cases) {
    test(name, async () => assert.deepEqual(typesOf(await compose(parts)), types))
  }
})

test('inline images have the identifier that the HTML names', async () => {
  const mail = await compose({
    attachments: [file({ contentId: '<i1@x>\r\nA: b', inline: true, contentType: 'image/png' })],
  })
  assert.match(mail, /^Content-I[dD]: <i1@xA:b>\r$/m)
  assert.match(mail, /^Content-Disposition: inline/m)
})

describe('no input makes a header of its own:', () => {
  const attack = 'x\r\nBcc: eve@example.net\r\n\r\nbody\n\rX-Evil: 1\0\u2028\u2029\x0b\x7f'
  const places: Record<string, Partial<MailParts>> = {
    'the name of the sender': { from: { address: 'desk@example.com', name: attack } },
    'the address of the sender': { from: { address: `${attack}@example.com` } },
    'the domain of the sender': { from: { address: `desk@example.com${attack}` } },
    'the name of a recipient': { to: [{ address: 'ada@example.org', name: attack }] },
    'the address of a recipient': { to: [{ address: `${attack}@example.org` }] },
    'the reply address': { replyTo: { address: `a${attack}@example.org`, name: attack } },
    'a copy': { cc: [{ address: `ada@example.org>${attack}`, name: attack }] },
    'the subject': { subject: attack },
    'the Message-ID answered': { inReplyTo: `<a@b>${attack}` },
    'a reference': { references: [attack, `<a@b>${attack}`, 'a b@c', '<a><b>', ''] },
    'a file name': { attachments: [file({ filename: attack })] },
    'a content type': { attachments: [file({ contentType: `text/plain${attack}` })] },
    'an identifier of content': { attachments: [file({ contentId: attack, inline: true })] },
  }
  for (const [place, parts] of Object.entries(places)) {
    test(place, async () => {
      const mail = await compose(parts)
      const names = headersOf(await compose()).map(([name]) => name)
      const allowed = new Set([
        ...names,
        'Content-Transfer-Encoding',
        'Reply-To',
        'Cc',
        'References',
        'In-Reply-To',
      ])
      for (const [name, value] of headersOf(mail)) {
        assert.ok(allowed.has(name), name)
        assert.ok(/^[\x20-\x7e]*$/.test(value), JSON.stringify(value))
      }
      assert.doesNotMatch(mail, /^(Bcc|X-Evil)/im)
      for (const line of mail.split('\r\n')) assert.ok(!/[\r\n\0]/.test(line), JSON.stringify(line))
    })
  }

  test('a Message-ID that a header cannot contain is a fault of the caller', () => {
    const mail = composeMail({ ...usual, messageId: attack })
    assert.throws(() => mail.stream(), /valid Message-ID/)
  })
})

test('an address cannot become two', async () => {
  const to = [
    { address: 'ada@example.org, eve@example.net', name: 'Ada" <x@y>, "' },
    { address: 'a,b@example.org' },
  ]
  const value = header(await compose({ to }), 'To')
  assert.equal(value, '"Ada\\" <x@y>, \\"" <"ada@example.org, eve"@example.net>, <"a,b"@example.org>')
})

test('texts of any language arrive as they were, and lone surrogates as replacement characters', async () => {
  const subject = 'Grüße aus Köln 😀 日本語'
  const mail = await compose({
    subject: `${subject}\ud800`,
    text: 'Grüße\n',
    from: { address: 'a@b.example', name: 'Jürgen Ω' },
  })
  const decoded = header(mail, 'Subject')!.replace(/\?= =\?/g, '?==?')
  const bytes = [...decoded.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, text]) =>
    kind!.toUpperCase() === 'B'
      ? Buffer.from(text!, 'base64')
      : Buffer.from(
          text!
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ),
  )
  assert.equal(Buffer.concat(bytes).toString(), `${subject}\ufffd`)
  assert.match(mail, /Gr=C3=BC=C3=9Fe\r\n/)
  assert.match(header(mail, 'From')!, /^=\?UTF-8\?.*\?= <a@b\.example>$/)
})

test('line ends become CRLF, no line is longer than 998 bytes, and bare CR and NUL do not remain', async () => {
  const long = 'x'.repeat(5_000)
  const references = Array.from({ length: 40 }, (_, i) => `${i}${'r'.repeat(850)}@example.org`)
  const mail = await compose({
    subject: long,
    text: `${long}\na\rb\r\nc\0d`,
    html: `<p>${long}</p>\n${'<b>ü</b>'.repeat(1_000)}`,
    from: { address: 'desk@example.com', name: long },
    references: [...references, `${long}@example.org`],
    attachments: [
      file({ filename: `${long}.txt` }),
      file({
        contentType: 'message/rfc822',
        content: async () => Readable.from([Buffer.from(`a\nb\0${long}`)]),
      }),
    ],
  })
  for (const line of mail.split('\r\n'))
    assert.ok(line.length <= 998 && !/[\r\n\0]/.test(line), line.slice(0, 80))
  assert.ok(!mail.includes('message/rfc822'))
  assert.equal(header(mail, 'References')!.split(' ').length, 40)
})

test('text in Base64 has CRLF line ends as well', async () => {
  const mail = await compose({ html: null, text: '日本語\n日本語\n' })
  const body = mail.slice(mail.indexOf('\r\n\r\n'))
  assert.equal(Buffer.from(body, 'base64').toString(), '日本語\r\n日本語\r\n')
})

test('file names keep their characters', async () => {
  const mail = await compose({ attachments: [file({ filename: 'Übersicht "2026"; a=b.pdf' })] })
  const filename = /filename\*0?\*?=([^;\r]+)/.exec(mail.replace(/\r\n[ \t]/g, ' '))?.[1]
  assert.equal(decodeURIComponent(filename!.replace(/^utf-8''/i, '')), 'Übersicht "2026"; a=b.pdf')
})

test('the bytes are the same at each call, and the size is near the estimate', async () => {
  const content = async () => Readable.from([Buffer.alloc(100_000, 'b'), Buffer.alloc(100_000, 'c')])
  const mail = composeMail({ ...usual, attachments: [file({ size: 200_000, content })] })
  const [first, second] = [await buffer(mail.stream()), await buffer(mail.stream())]
  assert.ok(first.equals(second))
  assert.ok(mail.size! >= first.length && mail.size! < first.length + 5_000, `${mail.size} ${first.length}`)
  assert.equal(composeMail({ ...usual, attachments: [file()] }).size, null)
})

test('only local parts beyond ASCII need SMTPUTF8', async () => {
  const needs = (address: string) => composeMail({ ...usual, to: [{ address, name: 'Jürgen' }] }).needsUtf8
  assert.equal(needs('jürgen@example.org'), true)
  assert.equal(needs('juergen@bücher.example'), false)
  const mail = await compose({ to: [{ address: 'juergen@bücher.example' }] })
  assert.equal(header(mail, 'To'), 'juergen@xn--bcher-kva.example')
})

describe('content', () => {
  test('is opened when it is reached, and closed when nobody reads on', async () => {
    const opened: Readable[] = []
    const endless = async () => {
      const stream = new Readable({
        read() {
          this.push(Buffer.alloc(65_536))
        },
      })
      opened.push(stream)
      return stream
    }
    const stream = composeMail({
      ...usual,
      attachments: [file({ content: endless }), file({ content: endless })],
    }).stream()
    assert.equal(opened.length, 0)
    let bytes = 0
    for await (const piece of stream) {
      bytes += piece.length
      if (bytes > 1_000_000) break
    }
    assert.equal(opened.length, 1)
    if (!opened[0]!.closed) await new Promise((resolve) => opened[0]!.once('close', resolve))
  })

  test('that fails is an error of the mail', async () => {
    const failures = [
      async () => Promise.reject(new Error('away')),
      async () =>
        new Readable({
          read() {
            this.destroy(new Error('away'))
          },
        }),
    ]
    for (const content of failures)
      await assert.rejects(compose({ attachments: [file({ content })] }), /away/)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAda, plain, read } from '@backline/test/mime-mails.ts'
import { hasHeaderLike, headerOf } from './email.ts'
import { readDate, readMessageIds } from './identifiers.ts'
import { fileNameOf } from './names.ts'
import { readStructured } from './parameters.ts'

const dates: [header: string, date: string | null][] = [
  ['Mon, 1 Jan 2024 10:00:00 +0100', '2024-01-01T09:00:00.000Z'],
  ['1 Jan 2024 10:00:00 +0100', '2024-01-01T09:00:00.000Z'],
  ['Mon, 01 Jan 2024 10:00 -0530', '2024-01-01T15:30:00.000Z'],
  ['Mon, 1 Jan 2024 10:00:00 +0100 (CET)', '2024-01-01T09:00:00.000Z'],
  ['Mon, 1 Jan 2024 10:00:00 GMT', '2024-01-01T10:00:00.000Z'],
  ['Mon, 1 Jan 2024 10:00:00 EST', '2024-01-01T15:00:00.000Z'],
  ['Mon, 1 Jan 2024 10:00:00 XYZ', '2024-01-01T10:00:00.000Z'],
  ['Mon, 1 Jan 2024 10:00:00', '2024-01-01T10:00:00.000Z'],
  ['Mon,1 Jan 2024 10:00:00 -0000', '2024-01-01T10:00:00.000Z'],
  ['1 Jan 24 10:00:00 +0000', '2024-01-01T10:00:00.000Z'],
  ['1 Jan 99 10:00:00 +0000', '1999-01-01T10:00:00.000Z'],
  ['29 Feb 2024 23:59:60 +0000', '2024-03-01T00:00:00.000Z'],
  ['Monday, 1 January 2024 10:00:00 +0000', '2024-01-01T10:00:00.000Z'],
  ['Mon,  1  Jan\t2024  10:00:00  +0000', '2024-01-01T10:00:00.000Z'],
  ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z'],
  ['30 Feb 2024 10:00:00 +0000', null],
  ['1 Jan 2024 24:00:00 +0000', null],
  ['1 Jan 2024 10:60:00 +0000', null],
  ['1 Jan 2024 10:00:00 +9999', null],
  ['1 Jan 12024 10:00:00 +0000', null],
  ['1 Jan 1900 10:00:00 +0000', null],
  ['1 Foo 2024 10:00:00 +0000', null],
  ['yesterday', null],
  ['12', null],
  ['', null],
]

for (const [header, date] of dates)
  test(`the date ${JSON.stringify(header)} is ${date ?? 'wrong'}`, () => assert.equal(readDate(header), date))

const ids: [header: string, ids: string[]][] = [
  ['<a@b>', ['<a@b>']],
  [' <a@b> ', ['<a@b>']],
  ['<a@b> <c@d>', ['<a@b>', '<c@d>']],
  ['<a@b><c@d>', ['<a@b>', '<c@d>']],
  ['<a@b>, <c@d>', ['<a@b>', '<c@d>']],
  ['<a@b> <a@b>', ['<a@b>']],
  ['< a@b >', ['<a@b>']],
  ['<a@ b>', ['<a@b>']],
  ['a@b', ['<a@b>']],
  ['a@b c@d', ['<a@b>', '<c@d>']],
  ['Your message of Monday "<a@b>"', ['<a@b>']],
  ['<<a@b>>', ['<a@b>']],
  ['<a@b', ['<a@b>']],
  ['<no-at-sign>', ['<no-at-sign>']],
  ['<>', []],
  ['text', []],
  [`<${'a'.repeat(997)}>`, []],
]

for (const [header, expected] of ids)
  test(`the Message-IDs in ${JSON.stringify(header.slice(0, 50))} are ${expected.join(' ') || 'none'}`, () => {
    assert.deepEqual(readMessageIds(header), expected)
  })

const parameters: [header: string, value: string, parameters: Record<string, string>][] = [
  ['text/plain; charset=utf-8', 'text/plain', { charset: 'utf-8' }],
  ['TEXT/Plain; CHARSET="UTF-8"', 'text/plain', { charset: 'UTF-8' }],
  ['attachment; filename="a;b.txt"', 'attachment', { filename: 'a;b.txt' }],
  ['attachment; filename="a\\"b.txt"', 'attachment', { filename: 'a"b.txt' }],
  ['attachment; filename="C:\\Users\\a.txt"', 'attachment', { filename: 'C:\\Users\\a.txt' }],
  ['attachment; filename=a b.txt', 'attachment', { filename: 'a b.txt' }],
  ['attachment; filename=Invoice(1).pdf', 'attachment', { filename: 'Invoice(1).pdf' }],
  ['attachment; (comment; more) filename=a.txt (c)', 'attachment', { filename: 'a.txt' }],
  ['attachment; filename==?utf-8?Q?=C3=BC?=.txt', 'attachment', { filename: 'ü.txt' }],
  ['attachment; filename="=?utf-8?B?w7w=?= =?utf-8?B?w7w=?=.txt"', 'attachment', { filename: 'üü.txt' }],
  ["attachment; filename*=utf-8'en'%C3%BC.txt", 'attachment', { filename: 'ü.txt' }],
  ["attachment; filename=plain.txt; filename*=utf-8''%C3%BC.txt", 'attachment', { filename: 'ü.txt' }],
  ["attachment; filename*1*=%BC.txt; filename*0*=utf-8''%C3", 'attachment', { filename: 'ü.txt' }],
  ['attachment; filename*0="one "; filename*1=two', 'attachment', { filename: 'one two' }],
  ["attachment; filename*=utf-8''%zz%4", 'attachment', { filename: '%zz%4' }],
  ["attachment; filename*=utf-8''=?utf-8?Q?x?=", 'attachment', { filename: '=?utf-8?Q?x?=' }],
  ['attachment; filename=a; filename=b', 'attachment', { filename: 'a' }],
  ['a; flag; b=c', 'a', { b: 'c' }],
  ['a; __proto__=x', 'a', { __proto__: 'x' }],
  ['(unclosed; text/plain', '(unclosed', {}],
  ['', '', {}],
]

for (const [header, value, expected] of parameters)
  test(`the parameters of ${JSON.stringify(header)} are ${JSON.stringify(expected)}`, () => {
    const read = readStructured(header, new Set())
    assert.equal(read.value, value)
    for (const [name, text] of Object.entries(expected)) assert.equal(read.parameters.get(name), text)
  })

const names: [name: string | null, type: string, expected: string][] = [
  ['a.pdf', 'application/pdf', 'a.pdf'],
  ['../../etc/passwd', 'text/plain', '.._.._etc_passwd'],
  ['C:\\a\\b.txt', 'text/plain', 'C:_a_b.txt'],
  ['a\0\nb.txt', 'text/plain', 'a__b.txt'],
  ['exe.\u202efdp', 'application/pdf', 'exe._fdp'],
  ['..', 'application/pdf', 'attachment-3.pdf'],
  ['  ', 'application/pdf', 'attachment-3.pdf'],
  [null, 'image/jpeg', 'attachment-3.jpg'],
  [null, 'x/y', 'attachment-3.bin'],
  ['invite', 'text/calendar', 'invite.ics'],
  ['Invite.ICS', 'text/calendar', 'Invite.ICS'],
  [`${'a'.repeat(300)}.pdf`, 'application/pdf', `${'a'.repeat(251)}.pdf`],
  [`a${'😀'.repeat(200)}.pdf`, 'application/pdf', `a${'😀'.repeat(125)}.pdf`],
]

for (const [name, type, expected] of names)
  test(`a file named ${JSON.stringify(name?.slice(0, 20))} of type ${type} is ${expected.slice(0, 40)}`, () => {
    assert.equal(fileNameOf(name, type, 3), expected)
  })

test('headers of the way that a mail took are lists, and other headers can be looked up', async () => {
  const email = await read(
    plain(
      'x',
      `Received: one\nReturn-Path: <Bounce@X.example>\nReceived: two\nAuthentication-Results: mx; dmarc=pass\nAuthentication-Results: other; none\nDelivered-To: A@desk.example\nX-Original-To: b@desk.example\nDelivered-To: c@desk.example\nFrom: two@x.example\nAUTO-Submitted: no\nList-Id: <l>\n${fromAda}\nReferences: ${Array.from({ length: 150 }, (_, i) => `<${i}@x>`).join(' ')}`,
    ),
  )
  assert.equal(email.receivedCount, 2)
  assert.equal(email.returnPath, 'bounce@x.example')
  assert.deepEqual(email.authenticationResults, ['mx; dmarc=pass', 'other; none'])
  assert.deepEqual(email.deliveredTo, ['a@desk.example', 'c@desk.example'])
  assert.deepEqual(email.xOriginalTo, ['b@desk.example'])
  assert.equal(email.fromHeaders, 2)
  assert.deepEqual(
    email.from.map(({ address }) => address),
    ['two@x.example', 'ada@customer.example'],
  )
  assert.deepEqual(
    [email.references.length, email.references[0], email.references[99]],
    [100, '<50@x>', '<149@x>'],
  )
  assert.equal(headerOf(email, 'Auto-Submitted'), 'no')
  assert.equal(headerOf(email, 'Precedence'), null)
  assert.deepEqual([hasHeaderLike(email, 'List-'), hasHeaderLike(email, 'X-Auto')], [true, false])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { show } from '@backline/test/mime-mails.ts'
import { readAddresses } from './addresses.ts'

const cases: [header: string, addresses: string[]][] = [
  ['ada@x.example', ['ada@x.example']],
  ['Ada@X.Example', ['ada@x.example']],
  ['<ada@x.example>', ['ada@x.example']],
  ['Ada <ada@x.example>', ['Ada <ada@x.example>']],
  ['Ada<ada@x.example>', ['Ada <ada@x.example>']],
  ['"Byron, Ada" <ada@x.example>', ['Byron, Ada <ada@x.example>']],
  ['"Ada \\"The\\" B" <ada@x.example>', ['Ada "The" B <ada@x.example>']],
  ["'Ada' <ada@x.example>", ['Ada <ada@x.example>']],
  ['ada@x.example (Ada)', ['Ada <ada@x.example>']],
  ['Ada (from (far) away) <ada@x.example>', ['Ada <ada@x.example>']],
  [
    '(a comment, with a comma) ada@x.example, bo@x.example',
    ['a comment, with a comma <ada@x.example>', 'bo@x.example'],
  ],
  ['ada@x.example, bo@x.example', ['ada@x.example', 'bo@x.example']],
  ['ada@x.example; bo@x.example;', ['ada@x.example', 'bo@x.example']],
  [',, ada@x.example,,', ['ada@x.example']],
  ['Group: ada@x.example, Bo <bo@x.example>;', ['ada@x.example', 'Bo <bo@x.example>']],
  ['Group: ada@x.example;, cy@x.example', ['ada@x.example', 'cy@x.example']],
  ['undisclosed-recipients:;', []],
  ['undisclosed recipients: ;', []],
  ['<@a.example,@b.example:ada@x.example>', ['ada@x.example']],
  ['<ada@x.example', ['ada@x.example']],
  ['ada@x.example>', ['ada@x.example']],
  ['Ada ada@x.example', ['Ada <ada@x.example>']],
  ['mailto:ada@x.example', ['ada@x.example']],
  ['<mailto:ada@x.example>', ['ada@x.example']],
  ['Byron, Ada <ada@x.example>', ['Ada <ada@x.example>']],
  ['"other@evil.example" <ada@x.example>', ['other@evil.example <ada@x.example>']],
  ['other@evil.example <ada@x.example>', ['other@evil.example <ada@x.example>']],
  ['=?utf-8?Q?other=40evil.example?= <ada@x.example>', ['other@evil.example <ada@x.example>']],
  ['=?utf-8?Q?M=C3=BCller=2C_Ada?= <ada@x.example>', ['Müller, Ada <ada@x.example>']],
  ['=?utf-8?Q?M=C3=BCller,_Ada:_(x) y?= <ada@x.example>', ['Müller, Ada: (x) y <ada@x.example>']],
  ['"=?utf-8?Q?M=C3=BCller?=" <ada@x.example>', ['Müller <ada@x.example>']],
  ['=?utf-8?Q?a=0D=0ABcc:_x?= <ada@x.example>', ['a Bcc: x <ada@x.example>']],
  ['=?utf-8?Q?ada=40x.example?=', []],
  ['ada@xn--exmple-cua.example', ['ada@xn--exmple-cua.example']],
  ['用户@例え.jp', ['用户@例え.jp']],
  ['ada@[192.0.2.1]', ['ada@[192.0.2.1]']],
  ['ada @ x.example', ['ada@x.example']],
  ['a@b@x.example', ['a@b@x.example']],
  ['a+token@x.example', ['a+token@x.example']],
  ['a\0b@x.example', ['ab@x.example']],
  ['a@x.example\r\n b@x.example', ['b@x.example <a@x.example>']],
  ['Ada', []],
  ['@x.example', []],
  ['ada@', []],
  ['', []],
  [`${'a'.repeat(990)}@x.example`, []],
]

for (const [header, addresses] of cases)
  test(`the addresses in ${JSON.stringify(header.slice(0, 80))} are ${addresses.join(' and ') || 'none'}`, () => {
    assert.deepEqual(readAddresses(header, new Set()).map(show), addresses)
  })

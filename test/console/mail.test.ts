import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  emailOf,
  isSendable,
  type MailDraft,
  mailDraftOf,
} from '../../packages/console/src/inbox/model/mail-draft.ts'
import { resultsIn } from '../../packages/console/src/setup/mailboxes/ways.ts'

describe('the server that checked a mail', () => {
  const cases: [what: string, header: string, expected: [server: string, results: string] | null][] = [
    [
      'stands before the results',
      'mx.example.com; spf=pass; dkim=none',
      ['mx.example.com', 'spf=pass; dkim=none'],
    ],
    ['may have a version', 'mx.example.com 1; dmarc=pass', ['mx.example.com', 'dmarc=pass']],
    ['may have a comment', 'mx.example.com (checked); spf=fail', ['mx.example.com', 'spf=fail']],
    ['is none without results', 'mx.example.com', null],
    ['is none if it is no name', '<b>; spf=pass', null],
    ['is none in an empty header', '', null],
  ]
  for (const [what, header, expected] of cases)
    test(what, () => {
      const found = resultsIn(header)
      assert.deepEqual(found && [found.server, found.results], expected)
    })
})

describe('the mail of a reply', () => {
  const cases: [what: string, draft: MailDraft | undefined, sent: object][] = [
    ['is left to the server if nothing was chosen', undefined, {}],
    ['is left to the server if the choices are empty', { bcc: [], subject: ' ' }, {}],
    [
      'names all recipients if one of them was chosen',
      { to: ['a@b.example'] },
      { to: ['a@b.example'], cc: [] },
    ],
    ['can have another subject alone', { subject: ' Hello ' }, { subject: 'Hello' }],
    ['can have hidden recipients alone', { bcc: ['c@d.example'] }, { bcc: ['c@d.example'] }],
  ]
  for (const [what, draft, sent] of cases)
    test(what, () => {
      const { email } = emailOf(draft)
      assert.deepEqual(email ?? {}, sent)
      assert.deepEqual(emailOf(mailDraftOf(email).mail), email ? { email } : {})
    })

  test('is sent to addresses alone, and to 50 of them at most', () => {
    const many = Array.from({ length: 50 }, (_, i) => `a${i}@b.example`)
    assert.equal(isSendable({ to: many }), true)
    assert.equal(isSendable({ to: many, bcc: ['c@d.example'] }), false)
    for (const wrong of ['ada', 'ada@', '@b.example', 'a b@c.example', 'a@b@c.example', '<a@b.example>'])
      assert.equal(isSendable({ to: [wrong] }), false, wrong)
  })
})

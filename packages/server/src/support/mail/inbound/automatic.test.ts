import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AutomaticSigns, automaticOf } from './automatic.ts'

/** Judges a mail with these headers, each as `Name: value`. */
const judge = (headers: string[], more: Partial<AutomaticSigns> = {}) =>
  automaticOf({
    headers: headers.map((header) => {
      const colon = header.indexOf(':')
      return { name: header.slice(0, colon), value: header.slice(colon + 1) }
    }),
    returnPath: 'ada@example.com',
    report: null,
    ...more,
  })

describe('headers tell how a mail came about', () => {
  for (const [headers, expected] of [
    [[], null],
    [['Subject: Automatic reply: Out of office'], null],
    [['Subject: Undeliverable: Hello', 'From: mailer-daemon@example.com'], null],
    [['Auto-Submitted: no'], null],
    [['Auto-Submitted: NO (a person)'], null],
    [['Precedence: first-class'], null],
    [['X-Mailing-List: a'], null],
    [['Auto-Submitted: auto-replied'], 'reply'],
    [['auto-submitted:  Auto-Replied; owner-email="a@b.example"'], 'reply'],
    [['Auto-Submitted: auto-replied(vacation)'], 'reply'],
    [['Auto-Submitted: no', 'Auto-Submitted: auto-replied'], 'reply'],
    [['X-Autoreply: yes'], 'reply'],
    [['X-AUTOREPLY:'], 'reply'],
    [['X-Autorespond: Vacation'], 'reply'],
    [['Precedence: auto_reply'], 'reply'],
    [['Precedence: bulk', 'X-Autoreply: yes', 'Auto-Submitted: auto-generated'], 'reply'],
    [['Auto-Submitted: auto-generated'], 'generated'],
    [['Auto-Submitted: auto-notified'], 'generated'],
    [['Auto-Submitted: something-else'], 'generated'],
    [['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'], 'generated'],
    [['Precedence: bulk'], 'bulk'],
    [['Precedence: LIST'], 'bulk'],
    [['Precedence: junk (ours)'], 'bulk'],
    [['List-Id: <a.example.com>'], 'bulk'],
    [['LIST-UNSUBSCRIBE: <mailto:a@example.com>'], 'bulk'],
    [['X-Auto-Response-Suppress: OOF'], 'bulk'],
  ] as const)
    test(`${expected ?? 'a person'}: ${headers.join(', ') || 'no header'}`, () =>
      assert.equal(judge([...headers]), expected))
})

describe('so do the return path and reports', () => {
  for (const [title, more, expected] of [
    ['a null return path', { returnPath: '' }, 'reply'],
    ['an unknown return path', { returnPath: null }, null],
    ['a bounce with a null return path', { returnPath: '', report: { kind: 'delivery' } }, null],
    ['an abuse report with a null return path', { returnPath: '', report: { kind: 'abuse' } }, null],
    ['a disposition notification', { report: { kind: 'disposition' } }, 'reply'],
  ] as const)
    test(`${expected ?? 'a person'}: ${title}`, () => assert.equal(judge([], more), expected))

  test('a list does not hide a null return path', () =>
    assert.equal(judge(['List-Id: a'], { returnPath: '' }), 'reply'))
})

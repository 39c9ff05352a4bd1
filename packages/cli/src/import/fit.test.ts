import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitted } from './fit.ts'
import type { Recorded } from './recorded.test-fixtures.ts'

function fit(line: Recorded): Recorded {
  const losses: string[] = []
  const fit = fitted({ external_id: '1', ...line }, (reason, detail) => losses.push(`${reason}: ${detail}`))
  return { ...fit, losses }
}

describe('an object is fitted to the limits of the API', () => {
  test('texts are cut, without half characters, and reported', () => {
    const { subject, losses } = fit({ type: 'conversation', subject: `${'a'.repeat(254)}😀b` })
    assert.equal(subject, 'a'.repeat(254))
    assert.deepEqual(losses, ['truncated: subject has 257 characters; 255 are kept'])
  })

  test('characters that no text contains are left out', () => {
    assert.equal(fit({ type: 'end_user', name: 'A\0da\ud800' }).name, 'Ada\ufffd')
  })

  test('addresses and numbers that are none are kept in metadata', () => {
    const { emails, phones, metadata } = fit({
      type: 'end_user',
      emails: ['a@b.test', 'A@b.test', 'nobody'].map((address) => ({ address, verified: false })),
      phones: ['+49 (30) 12-34', '030 12', null],
    })
    assert.deepEqual(emails, [{ address: 'A@b.test', verified: false }])
    assert.deepEqual(phones, ['+49301234'])
    assert.deepEqual(metadata, { other_emails: 'nobody', other_phones: '03012' })
  })

  test('metadata becomes texts with short names', () => {
    const metadata: Record<string, unknown> = {
      a: 1,
      b: null,
      c: ['x'],
      [`long ${'n'.repeat(50)}`]: 'y',
      d: 'z'.repeat(600),
    }
    const { metadata: kept, losses } = fit({ type: 'company', name: 'x', metadata })
    assert.deepEqual(kept, { a: '1', c: '["x"]', [`long ${'n'.repeat(35)}`]: 'y', d: 'z'.repeat(500) })
    assert.deepEqual(losses, ['truncated: metadata d has 600 characters; 500 are kept'])
    const many = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [`k${i}`, 'v']))
    assert.deepEqual(fit({ type: 'company', metadata: many }).losses, ['field_unmapped: k50, k51'])
  })

  test('zones and languages that the API refuses are left out', () => {
    const people = ['Berlin', 'Europe/Berlin'].map((timezone) =>
      fit({ type: 'end_user', timezone, language: timezone === 'Berlin' ? 'German (Germany)' : 'en_US' }),
    )
    assert.deepEqual(
      people.map(({ timezone, language }) => [timezone, language]),
      [
        [undefined, undefined],
        ['Europe/Berlin', 'en-US'],
      ],
    )
  })
})

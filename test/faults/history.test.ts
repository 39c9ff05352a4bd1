import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Write } from '../load.ts'
import { assertRealTime } from './history.ts'

const write = (mark: string, sentAt: number, answeredAt: number): Write => ({
  ...{ key: mark, path: '', body: {}, mark, kind: 'message', acknowledged: null },
  ...{ sentAt, answeredAt },
})

test('writes that overlap may come in either order', () => {
  const [one, other] = [write('one', 0, 3), write('other', 2, 4)]
  assertRealTime([one, other])
  assertRealTime([other, one])
})

test('a write that was acknowledged before another one was sent must come first, whatever is between them', () => {
  const [early, long, late] = [write('early', 0, 1), write('long', 0, 9), write('late', 2, 3)]
  assertRealTime([early, long, late])
  assert.throws(
    () => assertRealTime([late, long, early]),
    /late was sent when a later one had been acknowledged/,
  )
})

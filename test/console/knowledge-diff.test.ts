import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  compareTexts,
  compareWords,
  type Row,
  type Segment,
} from '../../packages/console/src/knowledge/shared/diff.ts'

const words = (segments: Segment[]) => segments.map(({ text }) => text).join('')
const changed = (segments: Segment[]) => segments.filter((each) => each.isChanged).map(({ text }) => text)

const leftOf = (rows: Row[]): string =>
  rows.flatMap((row) => ('before' in row ? words(row.before) : 'text' in row ? row.text : [])).join('\n')
const rightOf = (rows: Row[]): string =>
  rows.flatMap((row) => ('after' in row ? words(row.after) : 'text' in row ? row.text : [])).join('\n')

test('Equal texts have equal rows alone', () => {
  const rows = compareTexts('one\ntwo', 'one\ntwo')
  assert.deepEqual(rows, [
    { kind: 'same', left: 1, right: 1, text: 'one' },
    { kind: 'same', left: 2, right: 2, text: 'two' },
  ])
})

test('A line that differs in a word stands beside the new one, and only the word is marked', () => {
  const [row] = compareTexts('The daily limit is reached', 'The weekly limit is reached')
  assert.ok(row?.kind === 'changed')
  assert.deepEqual(changed(row.before), ['daily'])
  assert.deepEqual(changed(row.after), ['weekly'])
})

test('Lines without common words are a removed and an added one', () => {
  const rows = compareTexts('alpha beta', 'gamma delta epsilon')
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['removed', 'added'],
  )
  assert.equal(compareWords('alpha', 'omega'), null)
})

test('An inserted line leaves the numbers of both sides right', () => {
  assert.deepEqual(compareTexts('a\nb', 'a\nx\nb').at(-1), { kind: 'same', left: 2, right: 3, text: 'b' })
})

test('Texts with very many differences are compared as replaced', () => {
  const lines = (name: string) => Array.from({ length: 3_000 }, (_, i) => `${name} ${i}`).join('\n')
  const [before, after] = [lines('left'), lines('right')]
  const rows = compareTexts(before, after)
  assert.equal(leftOf(rows), before)
  assert.equal(rightOf(rows), after)
})

test('The rows of random texts have every line of both, in order, and no more changes than needed', () => {
  const seed = Number(process.env.DIFF_SEED ?? Date.now() % 1e6)
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % below
  }
  const textOf = () => Array.from({ length: random(14) }, () => 'abcd'[random(4)]).join('\n')
  for (let i = 0; i < 500; i++) {
    const [before, after] = [textOf(), textOf()]
    const rows = compareTexts(before, after)
    const told = `DIFF_SEED=${seed}: ${JSON.stringify([before, after])}`
    assert.equal(leftOf(rows), before, told)
    assert.equal(rightOf(rows), after, told)
    const same = rows.filter(({ kind }) => kind === 'same').length
    assert.equal(same, longestCommon(before.split('\n'), after.split('\n')), told)
  }
})

/** The length of the longest common subsequence, by the plain method. */
function longestCommon(a: string[], b: string[]): number {
  let above = Array<number>(b.length + 1).fill(0)
  for (const line of a) {
    const row = [0]
    for (const [j, other] of b.entries())
      row.push(line === other ? above[j]! + 1 : Math.max(above[j + 1]!, row[j]!))
    above = row
  }
  return above.at(-1)!
}

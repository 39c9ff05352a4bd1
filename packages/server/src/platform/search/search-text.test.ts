import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctiveQuery, queryTokens, searchQuery, searchTokens, tokenCounts } from './search-text.ts'

test('words of a long text are whole, wherever they stand', () => {
  const text = Array.from({ length: 9_000 }, (_, i) => `wörd${i}`).join(' ')
  const tokens = searchTokens(text)
  assert.deepEqual(
    tokens,
    Array.from({ length: 9_000 }, (_, i) => `word${i}`),
  )
})

test('neighbours of a long text without spaces are found, wherever its sentences end', () => {
  const sentence = (i: number) => `第${i}句没有空格的文字。`
  const text = Array.from({ length: 3_000 }, (_, i) => sentence(i)).join('')
  const tokens = new Set(searchTokens(text))
  for (const i of [0, 1_000, 2_999]) {
    for (const token of queryTokens(sentence(i)).tokens) assert.ok(tokens.has(token), token)
  }
})

test('marks of a letter do not count, however many there are', () => {
  assert.deepEqual(searchTokens(`caf${'e\u0323\u0301'.repeat(3)} e${'\u0301\u0323'.repeat(10_000)}`), [
    'cafeee',
    'e',
  ])
})

test('so many distinct tokens are told as are asked for', () => {
  assert.deepEqual(searchTokens('one two one three four', 3), ['one', 'two', 'three'])
  assert.deepEqual(
    [...tokenCounts('one two one')],
    [
      ['one', 2],
      ['two', 1],
    ],
  )
})

test('a short last word is left to a check, if other words remain', () => {
  const shortened: [string, string][] = [
    ['ada@example.com', "'ada' & 'example'"],
    ['Ann Lî', "'ann'"],
    ['co.uk.co', "'uk'"],
  ]
  for (const [query, expected] of shortened) assert.equal(distinctiveQuery(query), expected)
  const whole = ['ada', 'com', 'com com', 'ada lovelace', 'order 12', '東京', '東京 京都', '10045', '?']
  for (const query of whole) assert.equal(distinctiveQuery(query), searchQuery(query), query)
})

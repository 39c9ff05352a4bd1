import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, format } from '../../packages/console/src/forms/markdown-edits.ts'

/** Applies a format to a text, where `[` and `]` enclose what is selected, and returns it in the same form. */
function apply(name: Format, marked: string): string {
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  const text = marked.replace('[', '').replace(']', '')
  const edit = format(name, { text, start, end })
  const after = text.slice(0, edit.start) + edit.insert + text.slice(edit.end)
  const [from, to] = edit.select
  return `${after.slice(0, from)}[${after.slice(from, to)}]${after.slice(to)}`
}

const cases: [name: Format, before: string, after: string][] = [
  ['bold', 'a [word] here', 'a **[word]** here'],
  ['bold', 'a **[word]** here', 'a [word] here'],
  ['bold', 'a []', 'a **[]**'],
  ['italic', 'a [word]', 'a *[word]*'],
  ['italic', 'a *[word]*', 'a [word]'],
  ['italic', '**[word]**', '***[word]***'],
  ['italic', '***[word]***', '**[word]**'],
  ['code', 'run [npm ci] now', 'run `[npm ci]` now'],
  ['code', '[one\ntwo]', '```\n[one\ntwo]\n```'],
  ['heading', 'Ti[t]le', '[## Title]'],
  ['heading', '## Ti[t]le', '[### Title]'],
  ['heading', '### Ti[t]le', '[Title]'],
  ['bullets', 'one\n[two\nthree]', 'one\n[- two\n- three]'],
  ['bullets', '[- two\n- three]', '[two\nthree]'],
  ['numbers', '[two\nthree]', '[1. two\n2. three]'],
  ['quote', '[two]', '[> two]'],
]

for (const [name, before, after] of cases) {
  test(`${name} makes ${JSON.stringify(before)} ${JSON.stringify(after)}`, () => {
    assert.equal(apply(name, before), after)
  })
}

test('link keeps the selected text and selects the address', () => {
  const edit = format('link', { text: 'see docs', start: 4, end: 8 })
  assert.deepEqual(edit, { start: 4, end: 8, insert: '[docs](https://)', select: [11, 19] })
})

test('link around an address leaves the place of its text', () => {
  const edit = format('link', { text: 'https://example.com', start: 0, end: 19 })
  assert.deepEqual(edit, { start: 0, end: 19, insert: '[](https://example.com)', select: [1, 1] })
})

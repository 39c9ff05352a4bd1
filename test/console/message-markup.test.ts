import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asMarkdown, hasMarks, written } from '../../packages/console/src/inbox/model/markup.ts'

const marked = [
  'a **bold** word',
  'an *italic* word',
  'an _italic_ word',
  'run `npm ci` first',
  'see [the guide](https://example.com/guide)',
  'one ~~word~~ less',
  '# Steps',
  '> what you wrote',
  'Two things:\n- one\n- two',
  'Steps:\n1. open\n2. close',
  'Look:\n```\nnpm ci\n```',
]
const plain = [
  'Thank you!',
  '2 * 3 * 4 = 24',
  'file_name_here and snake_case_too',
  'a * star and another * star',
  '5 > 3, and 3 < 5',
  'Call me at 12:30 - or later',
  'C# is #1',
  'https://example.com/a_b_c?d=*&e=*',
  'see [1] and [2] (both)',
  'It costs ~10 or ~20',
  '`',
]

test('a text is Markdown if it has marks, and not because of a character that Markdown also uses', () => {
  for (const text of marked) assert.equal(hasMarks(text), true, text)
  for (const text of plain) assert.equal(hasMarks(text), false, text)
})

test('a line stays a line, a tag stays a text, and code stays as it is; doing it twice changes nothing', () => {
  const cases: [text: string, markdown: string][] = [
    ['**Hello**\nAda', '**Hello**  \nAda'],
    ['**Hello**\n\nAda', '**Hello**\n\nAda'],
    ['Use **<Key>** and `<b>`', 'Use **\\<Key>** and `<b>`'],
    ['<https://example.com> is *it*', '<https://example.com> is *it*'],
    ['**See** https://example.com/a?b=*c*.', '**See** <https://example.com/a?b=*c>*.'],
    ['**See** https://example.com/a_b', '**See** <https://example.com/a_b>'],
    ['Run\n```\na <b>\nc\n```\nnow', 'Run  \n```\na <b>\nc\n```\nnow'],
  ]
  for (const [text, markdown] of cases) {
    assert.equal(asMarkdown(text), markdown)
    assert.equal(asMarkdown(markdown), markdown)
  }
})

test('a chosen format is kept, and such a text is sent as it was written', () => {
  assert.deepEqual(written('**a**\nb', false), { body: '**a**\nb', body_format: 'text' })
  assert.deepEqual(written('a\n<b>b</b>', true), { body: 'a\n<b>b</b>', body_format: 'markdown' })
  assert.deepEqual(written('a\nb', null), { body: 'a\nb', body_format: 'text' })
  assert.deepEqual(written('**a**\nb', null), { body: '**a**  \nb', body_format: 'markdown' })
})

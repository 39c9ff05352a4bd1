import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pictures } from './picture-book.ts'
import { draw } from './pictures.ts'

test('the pictures of docs/sla.md show what the clocks do', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/sla.md'), 'utf8')
  const shown = [...page.matchAll(/^```text\n(.*?)\n```$/gms)].map(([, text]) => text)
  assert.deepEqual(shown, pictures.map(draw))
})

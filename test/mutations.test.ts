import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutations } from '../scripts/mutations.ts'

const root = join(import.meta.dirname, '..')

test('each fault that `npm run test:mutations` plants has its text once in the source, and tests that exist', () => {
  for (const { file, text, tests } of mutations) {
    const parts = readFileSync(join(root, file), 'utf8').split(text)
    assert.equal(parts.length, 2, `${file}: ${text}`)
    for (const path of tests) assert.ok(existsSync(join(root, path)), path)
  }
})

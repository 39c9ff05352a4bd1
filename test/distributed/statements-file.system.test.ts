import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staleParts } from './statements-file.ts'
import { templatesOf } from './templates.ts'

test('packages/server/statements.sql has a statement for each template of the source, and no others', () => {
  const hint = 'Statements have changed: `npm run gen:statements`, and look at the difference'
  assert.deepEqual(staleParts(templatesOf()), { missing: [], stale: [] }, hint)
})

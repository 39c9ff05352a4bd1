import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../../platform/postgres/database.ts'
import { definitionsOf } from './definitions.ts'

test('fields that are read around a failover are read again, because their generation may be assigned again', async () => {
  let [losses, key] = [0, 'before']
  let failsOver = true
  const db = {
    state: new Map(),
    losses: () => losses,
    reads: {
      find: async () => {
        if (failsOver) losses++
        failsOver = false
        return { generation: 5 }
      },
    },
    rows: async () => [{ key, applies_to: 'conversation' }],
  } as unknown as Db
  const keys = async () => (await definitionsOf(db, 'tenant')).conversation.map((field) => field.key)
  assert.deepEqual(await keys(), ['before'])
  key = 'after'
  assert.deepEqual(await keys(), ['after'])
  key = 'never read'
  assert.deepEqual(await keys(), ['after'])
})

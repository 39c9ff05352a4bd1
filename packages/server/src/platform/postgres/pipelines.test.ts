import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { pipelines } from './pipelines.ts'

test('a connection whose time limit cannot be restored is not used again', async () => {
  const ended: string[] = []
  let opened = 0
  const { rows, rowsWithin } = pipelines({
    open: async () => {
      const name = `session ${++opened}`
      return { name, end: async () => void ended.push(name) } as unknown as pg.Client
    },
    limits: { statementMs: 8_000, lockMs: 1_000 },
    size: 1,
    onError: () => undefined,
    onStaleServer: () => undefined,
    send: async (client, [statement]) => {
      const { text, values } = statement!
      if (values[0] === '8000') throw Object.assign(new Error('canceling statement'), { code: '57014' })
      return [{ session: (client as unknown as { name: string }).name, text }] as never
    },
  })
  const found = { session: 'session 1', text: 'select 1' }
  assert.deepEqual(await rowsWithin({ text: 'select 1', values: [] }, 1), [found])
  assert.deepEqual(ended, ['session 1'])
  assert.deepEqual(await rows({ text: 'select 2', values: [] }), [{ session: 'session 2', text: 'select 2' }])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from '../postgres/sql.ts'
import { sharedPages } from './shared-pages.ts'

const page = (tenantId: string, limit = 20) =>
  sql`select id from conversations where tenant_id = ${tenantId} order by id limit ${limit}`

/** Counts its reads. */
function reading() {
  const { shared } = sharedPages()
  let reads = 0
  const read = async () => ++reads
  return { ask: (query = page('one')) => shared(query, read), reads: () => reads }
}

test('requests for one page in one turn read it once', async () => {
  const { ask, reads } = reading()
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1])
  assert.equal(reads(), 1)
})

test('pages that differ in a value, such as the environment, are read apart', async () => {
  const { ask } = reading()
  const asked = [page('one'), page('other'), page('one', 10), page('one')].map(ask)
  assert.deepEqual(await Promise.all(asked), [1, 2, 3, 1])
})

test('a request that comes when the page is being read reads it anew', async () => {
  const { shared } = sharedPages()
  const first = Promise.withResolvers<string>()
  const one = shared(page('one'), () => first.promise)
  await turn()
  const other = shared(page('one'), async () => 'new')
  assert.equal(await other, 'new')
  first.resolve('old')
  assert.equal(await one, 'old')
})

test('all requests learn of a failure, and the next one reads anew', async () => {
  const { shared } = sharedPages()
  const failing = async () => Promise.reject(new Error('lost'))
  for (const outcome of await Promise.allSettled([
    shared(page('one'), failing),
    shared(page('one'), failing),
  ]))
    assert.equal(outcome.status, 'rejected')
  assert.equal(await shared(page('one'), async () => 'found'), 'found')
})

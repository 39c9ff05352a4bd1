import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { NoSuchBytes, StoreUnavailable } from '../../files/store.ts'
import { unavailable, unavailableReasons } from '../../kernel/errors.ts'
import { DatabaseUnavailable } from '../../postgres/errors.ts'
import { sendProblem } from './error-handler.ts'

const app = fastify()
after(() => app.close())
let thrown: unknown
app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, 'http://127.0.0.1:8080'))
app.get('/', async () => {
  throw thrown
})

async function problemOf(error: unknown) {
  thrown = error
  return (await app.inject('/')).json()
}

test('503 says whether the database or the file store is away', async () => {
  for (const [error, reason, detail] of [
    [new DatabaseUnavailable('gone'), 'database_unavailable', 'The database is unavailable.'],
    [new StoreUnavailable('gone'), 'file_store_unavailable', 'The file store is unavailable.'],
    [new NoSuchBytes('gone'), 'file_store_unavailable', 'The file store is unavailable.'],
  ] as const) {
    const { code, params, detail: said } = await problemOf(error)
    assert.deepEqual([code, params], ['unavailable', { reason, retry_after_seconds: 1 }])
    assert.equal(said, `${detail} Try again in 1 second.`)
  }
})

test('each reason of a 503 has a sentence of its own', async () => {
  const details: string[] = []
  for (const reason of unavailableReasons) {
    const { params, detail } = await problemOf(unavailable(reason, { retryAfterSeconds: 5 }))
    assert.equal(params.reason, reason)
    assert.match(detail, /^[A-Z][^.]+\. Try again in 5 seconds\.$/)
    assert.doesNotMatch(detail, /undefined/)
    details.push(detail)
  }
  assert.equal(new Set(details).size, details.length)
})

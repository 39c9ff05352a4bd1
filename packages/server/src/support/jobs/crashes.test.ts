import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { started, takenInVain } from '@backline/test/jobs.ts'
import { conversation } from '@backline/test/macro-fixtures.ts'

/** Works only while a clock is moved. */
const api = service({})

/** A job that waits. */
async function waiting(client: Client) {
  const { id } = await conversation(client)
  return started(client, '/v1/bulk', { selection: { ids: [id] }, actions: [{ type: 'resolve' }] })
}

describe('a job whose server crashes', () => {
  test('goes on after 19 crashes', async () => {
    const { test: client, environments } = await api.world()
    const job = await waiting(client)
    for (let i = 0; i < 19; i++) await takenInVain(api, environments.test, job)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
    assert.equal(succeeded(await client.get(`/v1/jobs/${job.id}`)).status, 'succeeded')
  })

  test('fails after 20 crashes and says so', async () => {
    const { test: client, environments } = await api.world()
    const job = await waiting(client)
    for (let i = 0; i < 20; i++) await takenInVain(api, environments.test, job)
    assert.equal(succeeded(await client.get(`/v1/jobs/${job.id}`)).status, 'running')
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
    const { status, error, progress } = succeeded(await client.get(`/v1/jobs/${job.id}`))
    assert.deepEqual(
      { status, error, done: progress.done },
      {
        status: 'failed',
        error: { code: 'internal_error', detail: 'The server that worked on the job crashed 20 times.' },
        done: 0,
      },
    )
    const { data } = succeeded(await client.get('/v1/events?types=job.ended'))
    assert.equal(data.length, 1)
  })
})

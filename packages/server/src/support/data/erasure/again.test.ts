import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sealed } from '@backline/test/audit.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { sessionOf, start } from '@backline/test/end-users.ts'
import { failedErasure } from '@backline/test/erasures.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { openWorker } from '@backline/test/hooks.ts'
import { started } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'

/** Works only while a clock is moved. */
const api = service({})

const advance = async (client: Client, seconds = 1) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

let people = 0

/** A person who has written a message with a file, and whom the filter of a job names. */
async function person(world: World) {
  const { test: client } = world
  const own = `okapi${++people}x`
  const address = `${own}address@example.com`
  const eu = succeeded(
    await client.post('/v1/end_users', { name: `${own}name`, emails: [{ address, verified: true }] }),
  )
  const session = await sessionOf(api, world, eu.id)
  const page: Client = {
    ...session,
    post: (path, body, headers = {}) => session.post(path, body, { 'user-agent': `${own}agent`, ...headers }),
  }
  const attached = await file(api, page, {
    path: '/v1/me/files',
    bytes: Buffer.from(`${own}bytes`),
    filename: `${own}filename.txt`,
    content_type: 'text/plain',
  })
  await start(page, {
    subject: `${own}subject`,
    message: { body: `${own}body`, attachments: [{ file_id: attached.id }] },
  })
  const filter = { field: 'end_user.email', op: 'is', value: address }
  await started(client, '/v1/bulk', { selection: { filter }, actions: [{ type: 'add_tags', tags: ['x'] }] })
  await advance(client)
  assert.ok((await placesOf(api, [own])).length > 0)
  return { own, eu }
}

/** Erases a person, and returns the certificate. */
async function erased(client: Client, endUserId: string, mode: string): Promise<Body> {
  const { id } = await started(client, `/v1/end_users/${endUserId}/erase`, { mode })
  await advance(client)
  const job = succeeded(await client.get(`/v1/jobs/${id}`))
  assert.equal(job.status, 'succeeded', JSON.stringify(job))
  return succeeded(await client.get(`/v1/erasures/${job.result.erasure_id}`))
}

/** Bytes of files are removed by workers, which also seal the audit log. */
async function isGone(client: Client, own: string): Promise<void> {
  const worker = await openWorker(api)
  await until('the bytes are gone', async () => !(await placesOf(api, [own])).includes(`file: ${own}`))
  assert.deepEqual(await placesOf(api, [own]), [])
  assert.equal((await sealed(client)).valid, true)
  assert.equal((await sealed(client)).valid, true)
  await worker.stop()
}

describe('an erasure after one that failed', () => {
  test('erases what only the failed one knew, and counts the work of both', async () => {
    const world = await api.world()
    const { test: client, environments } = world
    const { own, eu } = await person(world)
    const failing = { endUserId: eu.id, mode: 'anonymise' } as const
    await failedErasure(api, { client, env: environments.test }, failing, ({ step }) => step === 'events')
    const { counts } = await erased(client, eu.id, 'anonymise')
    await isGone(client, own)
    assert.partialDeepStrictEqual(counts, {
      end_users: 1,
      end_user_addresses: 1,
      end_user_sessions: 1,
      conversations: 1,
      messages: 1,
      files: 1,
      jobs: 1,
    })
  })

  test('erases the rest of conversations whose deletion went on by itself', async () => {
    const world = await api.world()
    const { test: client, environments } = world
    const { own, eu } = await person(world)
    const failing = { endUserId: eu.id, mode: 'delete' } as const
    await failedErasure(
      api,
      { client, env: environments.test },
      failing,
      ({ deleting }) => deleting.length > 0,
    )
    await advance(client, 7_200)
    const { counts } = await erased(client, eu.id, 'delete')
    await isGone(client, own)
    assert.partialDeepStrictEqual(counts, { end_users: 1, conversations: 1, messages: 1 })
  })
})

test('an erasure after the deletion of conversations leaves nothing of the person', async () => {
  const world = await api.world()
  const { test: client } = world
  const { own, eu } = await person(world)
  for (const { id } of succeeded(await client.get('/v1/conversations')).data)
    assert.equal((await client.delete(`/v1/conversations/${id}`)).status, 204)
  await erased(client, eu.id, 'anonymise')
  await isGone(client, own)
})

describe('a job that names a person', () => {
  /** A bulk job, which has ended, with a filter by texts. */
  async function naming(client: Client, texts: string[]): Promise<Body> {
    const any = texts.map((value) => ({ field: 'subject', op: 'is', value }))
    const actions = [{ type: 'add_tags', tags: ['x'] }]
    const job = await started(client, '/v1/bulk', { selection: { filter: { any } }, actions })
    await advance(client)
    return job
  }
  const named = async (client: Client, name: string): Promise<Body> =>
    succeeded(await client.post('/v1/end_users', { name }))

  test('and another one is found by the erasure of each, also if one of them fails', async () => {
    const { test: client, environments } = await api.world()
    const [one, other] = ['okapione', 'okapiother']
    const [a, b] = [await named(client, one), await named(client, other)]
    await naming(client, [one, other])
    const failing = { endUserId: a.id, mode: 'anonymise' } as const
    await failedErasure(api, { client, env: environments.test }, failing, ({ step }) => step === 'sessions')
    await erased(client, b.id, 'anonymise')
    assert.deepEqual(await placesOf(api, [other]), [])
    await erased(client, a.id, 'anonymise')
    assert.deepEqual(await placesOf(api, [one]), [])
  })

  test('is found whatever the letters of the name', async () => {
    const { test: client } = await api.world()
    const name = 'İbrahim okapi ΟΔΥΣΣΕΥΣ'
    const { id } = await named(client, name)
    const job = await naming(client, [name])
    await erased(client, id, 'anonymise')
    assert.deepEqual(succeeded(await client.get(`/v1/jobs/${job.id}`)).params, {})
    assert.deepEqual(await placesOf(api, [name]), [])
  })
})

test('a person who was erased is not exported', async () => {
  const { test: client } = await api.world()
  const { id } = succeeded(await client.post('/v1/end_users', { name: 'Okapi' }))
  await erased(client, id, 'anonymise')
  const { status, body } = await client.post(`/v1/end_users/${id}/export`, {})
  assert.deepEqual([status, body.code, body.params.reason], [409, 'identity_conflict', 'erased'])
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signedIn } from '@backline/test/console.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { sourceOf } from '@backline/test/imports.ts'
import { resultsOf, started } from '@backline/test/jobs.ts'

/** Works only while a clock is moved. */
const api = service({})

const addressOf = (role: string) => `${role}.imported@example.com`
const lines = ['agent', 'lead', 'admin'].map((role) => ({
  ...{ type: 'operator', external_id: role, name: role, email: addressOf(role) },
  role,
}))

/** Does the work of a job. Returns the codes of each line. */
async function worked(client: Client, job: Body): Promise<string[][]> {
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
  const results = await resultsOf(client, job)
  return results.map(({ errors }) => errors.map(({ code }: Body) => code))
}

const rolesIn = async (client: Client): Promise<string[]> => {
  const { data } = succeeded(await client.get('/v1/operators?limit=100'))
  return data
    .filter(({ email }: Body) => email.endsWith('.imported@example.com'))
    .map(({ role }: Body) => role)
    .sort()
}

describe('an import of operators', () => {
  test('gives them the roles that an administrator in the console may give', async () => {
    const world = await api.world()
    const browser = await signedIn(api, world, 'admin')
    const file_id = await sourceOf(api, world.test, lines)
    const job = succeeded(await browser.send('POST', '/v1/imports', { file_id, source: 'zendesk' }))
    assert.deepEqual(await worked(world.test, job), [[], [], []])
    assert.deepEqual(await rolesIn(world.test), ['admin', 'agent', 'lead'])
  })

  test('is refused the roles that a lead in the console may not give', async () => {
    const world = await api.world()
    const browser = await signedIn(api, world, 'lead')
    const file_id = await sourceOf(api, world.test, lines)
    const job = succeeded(await browser.send('POST', '/v1/imports', { file_id, source: 'zendesk' }))
    const codes = await worked(world.test, job)
    assert.ok(codes[2]!.includes('scope_missing'), JSON.stringify(codes))
    assert.equal((await rolesIn(world.test)).includes('admin'), false)
  })

  test('goes on with what its starter could do, although the session was revoked meanwhile', async () => {
    const world = await api.world()
    const browser = await signedIn(api, world, 'admin')
    const file_id = await sourceOf(api, world.test, lines)
    const job = succeeded(await browser.send('POST', '/v1/imports', { file_id, source: 'zendesk' }))
    const { data } = succeeded(await world.test.get('/v1/console_sessions'))
    for (const { id } of data) succeeded(await world.test.delete(`/v1/console_sessions/${id}`))
    assert.deepEqual(await worked(world.test, job), [[], [], []])
  })

  test('goes on with what its starter could do, although the key was revoked meanwhile', async () => {
    const world = await api.world()
    const key = succeeded(await world.test.post('/v1/api_keys', { name: 'Import', scopes: ['*'] }))
    const file_id = await sourceOf(api, world.test, lines)
    const job = await started(api.client(key.secret), '/v1/imports', { file_id, source: 'zendesk' })
    succeeded(await world.test.delete(`/v1/api_keys/${key.id}`))
    assert.deepEqual(await worked(world.test, job), [[], [], []])
  })
})

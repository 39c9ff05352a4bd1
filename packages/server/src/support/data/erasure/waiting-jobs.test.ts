import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { erase } from '@backline/test/erasures.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { started, takenInVain } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'

/** Works only while a clock is moved. */
const api = service({})

let people = 0

/** A person whom the filter of a job names that has not ended. */
async function named({ test: client }: World) {
  const own = `tapir${++people}x`
  const address = `${own}address@example.com`
  const eu = succeeded(await client.post('/v1/end_users', { emails: [{ address, verified: true }] }))
  const conversation = succeeded(
    await client.post('/v1/conversations', { external_user_id: 'friend', tags: ['outage'] }),
  )
  const any = [
    { field: 'end_user.email', op: 'is', value: address },
    { field: 'tags', op: 'contains', value: 'outage' },
  ]
  const job = await started(client, '/v1/bulk', {
    selection: { filter: { any } },
    actions: [{ type: 'add_tags', tags: ['told'] }],
  })
  return { own, eu, job, conversation }
}

const shown = async (client: Client, { id }: Body) => succeeded(await client.get(`/v1/jobs/${id}`))

describe('a job that has not ended when a person is erased whom it names', () => {
  for (const isRunning of [false, true])
    test(`shows no params any more, does its work and forgets them${isRunning ? ', also if its server crashes' : ''}`, async () => {
      const world = await api.world()
      const { test: client, environments } = world
      const { own, eu, job, conversation } = await named(world)
      if (isRunning) await takenInVain(api, environments.test, job)
      await erase(api, environments.test, eu.id)
      assert.deepEqual((await shown(client, job)).params, {})
      assert.deepEqual(await placesOf(api, [own]), [`jobs: ${own}`])
      succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
      const { status, params, progress } = await shown(client, job)
      assert.deepEqual({ status, params, done: progress.done }, { status: 'succeeded', params: {}, done: 1 })
      assert.deepEqual(succeeded(await client.get(`/v1/conversations/${conversation.id}`)).tags, [
        'outage',
        'told',
      ])
      assert.deepEqual(await placesOf(api, [own]), [])
    })

  test('forgets them when it is cancelled', async () => {
    const world = await api.world()
    const { own, eu, job } = await named(world)
    await erase(api, world.environments.test, eu.id)
    const cancelled = succeeded(await world.test.post(`/v1/jobs/${job.id}/cancel`))
    assert.deepEqual([cancelled.status, cancelled.params], ['cancelled', {}])
    assert.deepEqual(await placesOf(api, [own]), [])
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beyondRequests } from '@backline/cli/trigger/fixtures.ts'
import { type Environment, expectations, run } from './command-line.ts'
import { service, type World } from './harness.ts'

/* `trigger`: each event type really happens. */

const { succeed, json, refuse } = expectations(run)

describe('trigger', () => {
  const api = service({ works: true })
  let world: World
  let environment: Environment
  let types: string[]
  before(async () => {
    world = await api.world()
    environment = { BACKLINE_URL: api.url, BACKLINE_API_KEY: world.test.key, XDG_CONFIG_HOME: '/nonexistent' }
    // Objects of a desk that must not keep events from happening.
    const everything = { name: 'Everything', targets: [{ first_response_seconds: 3600 }] }
    assert.equal((await world.test.post('/v1/sla_configs', everything)).status, 201)
    types = (await json({}, 'trigger', '--list')).data
  })

  test('knows every event type that requests can cause', async () => {
    const all: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await world.test.get(`/v1/event_types?limit=100&cursor=${cursor}`)
      all.push(...body.data.map(({ type }: { type: string }) => type))
      cursor = body.next_cursor
    }
    assert.deepEqual([...types, ...Object.keys(beyondRequests)].sort(), all.sort())
    assert.equal(await succeed({}, 'trigger', '--list'), `${types.join('\n')}\n`)
  })

  test('makes an event of each type happen to the resource that it names', async () => {
    for (const type of types) {
      const { resource_id, requests } = await json(environment, 'trigger', type)
      const { body } = await world.test.get(`/v1/events?types=${type}&resource_id=${resource_id}`)
      assert.ok(body.data.length >= 1, `${type} did not happen to ${resource_id}`)
      assert.ok(requests.length >= 1)
    }
  })

  test('prints its requests and the resource', async () => {
    assert.match(
      await succeed(environment, 'trigger', 'conversation.resolved'),
      /^POST \/v1\/conversations\nPOST \/v1\/conversations\/conv_\w+\/resolve\nconversation\.resolved {2}conv_\w+\n$/,
    )
  })

  test('suggests the event type that was probably meant, says which cannot be triggered, and refuses live keys and missing rights', async () => {
    await refuse(2, /did you mean conversation\.created\?/, environment, 'trigger', 'conversation.create')
    for (const type of Object.keys(beyondRequests))
      await refuse(2, new RegExp(`^error: ${type} cannot be triggered: `), environment, 'trigger', type)
    await refuse(2, /EVENT is required; see .* trigger --list/, environment, 'trigger')
    const live = { ...environment, BACKLINE_API_KEY: world.live.key }
    for (const command of [['trigger', 'tag.created'], ['demo']])
      await refuse(1, /refuses live keys; use a test key: /, live, ...command)
    assert.deepEqual((await world.live.get('/v1/tags')).body.data, [])
    const narrow = { ...environment, BACKLINE_API_KEY: (await world.withScopes('tags:read')).key }
    const missing = /returned 403 scope_missing: This key lacks the scope tags:write\./
    await refuse(1, missing, narrow, 'trigger', 'tag.created')
  })
})

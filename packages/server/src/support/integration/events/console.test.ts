import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Browser, signedIn } from '@backline/test/console.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { service, type World } from '@backline/test/harness.ts'

const api = service()
let world: World
const browsers: Record<string, Browser> = {}

/** The types of all events that a request for `path` returns. */
async function typesOf(role: string, query = ''): Promise<string[]> {
  const types: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/v1/events?limit=100${query}${cursor && `&cursor=${cursor}`}`
    const page = succeeded(await browsers[role]!.send('GET', path))
    types.push(...page.data.map(({ type }: Body) => type))
    if (!page.has_more) return types
    cursor = page.resume_cursor
  }
}

describe('events in the console are those of resources that the role can read', () => {
  let [conversation, key]: Body[] = []

  before(async () => {
    world = await api.world()
    for (const role of ['agent', 'lead', 'admin']) browsers[role] = await signedIn(api, world, role)
    const url = 'https://hooks.example.com/secret-path'
    succeeded(await world.test.post('/v1/webhook_endpoints', { url, enabled_events: ['*'] }))
    key = succeeded(await world.test.post('/v1/api_keys', { name: 'Robot', scopes: ['*'] }))
    conversation = succeeded(await world.test.post('/v1/conversations', { external_user_id: randomUUID() }))
  })

  const withheld = ['webhook_endpoint.created', 'api_key.created', 'console_session.created']

  test('in lists and their totals', async () => {
    for (const role of ['agent', 'lead']) {
      const types = await typesOf(role)
      for (const type of withheld) assert.ok(!types.includes(type), `${role} ${type}`)
      for (const type of ['conversation.created', 'operator.created'])
        assert.ok(types.includes(type), `${role} ${type}`)
      assert.deepEqual(await typesOf(role, `&types=${withheld},conversation.created`), [
        'conversation.created',
      ])
      for (const query of ['types=webhook_endpoint.*', 'types=console_session.*', `resource_id=${key.id}`])
        assert.deepEqual(await typesOf(role, `&${query}`), [], query)
      const { total } = (await browsers[role]!.send('GET', '/v1/events?include=total')).body
      assert.equal(total, types.length)
    }
    const all = await typesOf('admin')
    for (const type of withheld) assert.ok(all.includes(type), type)
  })

  test('404 for a single one', async () => {
    const { data } = succeeded(await world.test.get(`/v1/events?resource_id=${key.id}`))
    const path = `/v1/events/${data[0].id}`
    assert.equal((await browsers.agent!.send('GET', path)).status, 404)
    assert.equal((await browsers.admin!.send('GET', path)).body.data.object.name, 'Robot')
    const sessions = succeeded(await world.test.get('/v1/events?types=console_session.*')).data
    const pathOfSession = `/v1/events/${sessions[0].id}`
    for (const role of ['agent', 'lead'])
      assert.equal((await browsers[role]!.send('GET', pathOfSession)).status, 404)
    assert.equal((await browsers.admin!.send('GET', pathOfSession)).status, 200)
    const open = succeeded(await world.test.get(`/v1/events?resource_id=${conversation.id}`)).data[0]
    assert.equal((await browsers.agent!.send('GET', `/v1/events/${open.id}`)).status, 200)
  })

  test('in streams, which end when the role changes', async () => {
    const start = (await browsers.lead!.send('GET', '/v1/events?limit=1')).body.resume_cursor
    const lead = await signedIn(api, world, 'lead')
    const response = await fetch(`${api.url}/v1/events/stream?cursor=${start}`, {
      headers: { cookie: lead.cookie, 'backline-console': 'test' },
    })
    assert.equal(response.status, 200)
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (!text.includes('"conversation.created"')) continue
      succeeded(await world.test.patch(`/v1/operators/${lead.operatorId}`, { role: 'agent' }))
    }
    assert.ok(text.includes('"conversation.created"'))
    for (const type of withheld) assert.ok(!text.includes(type), type)
    assert.ok(!text.includes('secret-path'))
  })

  test('and of personal views those of their operators alone, in lists, totals and streams, for every role', async () => {
    const owner = browsers.lead!
    const view = (name: string, operator_ids: string[]) =>
      world.test.post('/v1/views', {
        name,
        filter: { field: 'status', op: 'is', value: 'open' },
        visibility: { operator_ids },
      })
    const start = (await browsers.admin!.send('GET', '/v1/events?from=now')).body.resume_cursor
    const personal = succeeded(await view('Mine', [owner.operatorId]))
    const shared = succeeded(await view('Ours', []))
    const seen = async (role: string) =>
      succeeded(await browsers[role]!.send('GET', `/v1/events?cursor=${start}&types=view.*&include=total`))
    for (const [role, expected] of [
      ['lead', [personal.id, shared.id]],
      ['agent', [shared.id]],
      ['admin', [shared.id]],
    ] as const) {
      const { data, total } = await seen(role)
      assert.deepEqual(
        data.map(({ resource }: Body) => resource.id),
        expected,
        role,
      )
      assert.equal(total, expected.length, role)
    }
    const [{ id }] = succeeded(await world.test.get(`/v1/events?resource_id=${personal.id}`)).data
    const statusFor = async (role: string) => (await browsers[role]!.send('GET', `/v1/events/${id}`)).status
    assert.deepEqual(
      [await statusFor('lead'), await statusFor('admin'), await statusFor('agent')],
      [200, 404, 404],
    )
    for (const role of ['admin', 'lead']) {
      const stopping = new AbortController()
      const response = await fetch(`${api.url}/v1/events/stream?cursor=${start}`, {
        headers: { cookie: browsers[role]!.cookie, 'backline-console': 'test' },
        signal: stopping.signal,
      })
      let text = ''
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        text += piece
        if (text.includes(shared.id)) break
      }
      stopping.abort()
      assert.equal(text.includes(personal.id), role === 'lead', role)
    }
  })

  test('and those of sessions are without addresses and browsers', async () => {
    const { data } = succeeded(await world.test.get('/v1/events?types=console_session.*'))
    assert.ok(data.length > 0)
    for (const { data: shown } of data) {
      assert.deepEqual([shown.object.ip, shown.object.user_agent], [null, null])
      assert.match(shown.object.operator_id, /^op_/)
    }
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Browser, signedIn } from '@backline/test/console.ts'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { scopesOfRole } from '../../vocabulary/roles.ts'

const api = service()
let world: World
/** Keys by what they have. */
const keys: Record<string, Client> = {}

const newEmail = () => `${randomUUID()}@example.com`
const newOperator = async (more: object = {}) =>
  succeeded(await world.test.post('/v1/operators', { name: 'Ada', email: newEmail(), ...more }))

describe('a role is given and taken only by those who have its scopes', () => {
  before(async () => {
    world = await api.world()
    keys.all = world.test
    keys.operators = await world.withScopes('operators:write')
    keys.writing = await world.withScopes('*:read', '*:write')
    keys.lead = await world.withScopes('operators:write', ...scopesOfRole.lead)
  })

  type Given = 'agent' | 'lead' | 'admin'
  const missing: Record<string, Record<Given, string | null>> = {
    all: { agent: null, lead: null, admin: null },
    operators: { agent: null, lead: scopesOfRole.lead[0]!, admin: '*' },
    writing: { agent: null, lead: null, admin: '*' },
    lead: { agent: null, lead: null, admin: '*' },
  }
  /** Each gives the role to somebody who did not have it, or takes it from somebody who has. */
  const ways: Record<string, (role: Given) => Promise<(client: Client) => ReturnType<Client['post']>>> = {
    'a new operator': async (role) => (client) =>
      client.post('/v1/operators', { name: 'Eve', email: newEmail(), role }),
    'another role': async (role) => {
      const { id } = await newOperator()
      return (client) => client.patch(`/v1/operators/${id}`, { role })
    },
    'the loss of the role': async (role) => {
      const { id } = await newOperator({ role })
      return (client) => client.patch(`/v1/operators/${id}`, { role: 'agent' })
    },
    'another address': async (role) => {
      const { id } = await newOperator({ role })
      return (client) => client.patch(`/v1/operators/${id}`, { email: newEmail() })
    },
    'the end of an archiving': async (role) => {
      const { id } = await newOperator({ role, archived: true })
      return (client) => client.patch(`/v1/operators/${id}`, { archived: false })
    },
    'an archiving': async (role) => {
      const { id } = await newOperator({ role })
      return (client) => client.patch(`/v1/operators/${id}`, { archived: true })
    },
    'a deletion': async (role) => {
      const { id } = await newOperator({ role })
      return (client) => client.delete(`/v1/operators/${id}`)
    },
  }
  for (const [way, prepare] of Object.entries(ways))
    for (const [key, byRole] of Object.entries(missing))
      for (const [role, scope] of Object.entries(byRole) as [Given, string | null][])
        test(`${scope ? `403 for want of ${scope}` : 'permitted'}: ${role} by ${way}, with the key ${key}`, async () => {
          const { status, body } = await (await prepare(role))(keys[key]!)
          if (scope === null) assert.ok(status < 300, JSON.stringify(body))
          else assert.deepEqual([status, body.code, body.params], [403, 'scope_missing', { scope }])
        })

  test('other changes of an administrator need no more than before', async () => {
    const { id, email } = await newOperator({ role: 'admin' })
    const path = `/v1/operators/${id}`
    const patches = [
      { name: 'Grace', capacity: 3, metadata: { team: 'a' } },
      { role: 'admin', email, archived: false },
    ]
    for (const patch of patches) succeeded(await keys.operators!.patch(path, patch))
    succeeded(await keys.operators!.put(`${path}/status`, { status: 'away' }))
  })

  test('403 for an address that replaces the own one only in letter case', async () => {
    const { id, email } = await newOperator({ role: 'admin' })
    const answer = await keys.operators!.patch(`/v1/operators/${id}`, { email: email.toUpperCase() })
    assert.equal(answer.body.code, 'scope_missing')
  })

  describe('in the console', () => {
    const raise = async (browser: Browser) => {
      const { id } = await newOperator()
      return browser.send('PATCH', `/v1/operators/${id}`, { role: 'admin' })
    }

    test('an administrator may, a lead may not', async () => {
      assert.equal((await raise(await signedIn(api, world, 'admin'))).status, 200)
      assert.equal((await raise(await signedIn(api, world, 'lead'))).body.code, 'scope_missing')
    })

    test('an administrator changes, archives and deletes itself', async () => {
      for (const [method, patch] of [
        ['PATCH', { email: newEmail() }],
        ['PATCH', { archived: true }],
        ['DELETE', undefined],
      ] as const) {
        const grace = await signedIn(api, world, 'admin')
        const answer = await grace.send(method, `/v1/operators/${grace.operatorId}`, patch)
        assert.ok(answer.status < 300, answer.text)
      }
    })

    test('not by a session that is cached and has just ended, and not by a key made of it', async () => {
      const other = await api.another()
      const elsewhere = await signedIn(Object.assign({}, api, other), world, 'admin')
      assert.equal((await elsewhere.send('GET', '/v1/tags')).status, 200)
      const { id } = await newOperator()
      succeeded(await world.test.patch(`/v1/operators/${elsewhere.operatorId}`, { role: 'agent' }))
      for (const answer of [
        await elsewhere.send('PATCH', `/v1/operators/${id}`, { role: 'admin' }),
        await elsewhere.send('POST', '/v1/api_keys', { name: 'Kept', scopes: ['*'] }),
      ])
        assert.deepEqual([answer.status, answer.body.code], [403, 'scope_missing'])
      const later = await signedIn(Object.assign({}, api, other), world, 'admin')
      assert.equal((await later.send('GET', '/v1/api_keys')).status, 200)
      succeeded(await world.test.patch(`/v1/operators/${later.operatorId}`, { archived: true }))
      const late = await later.send('POST', '/v1/api_keys', { name: 'Kept', scopes: ['*'] })
      assert.deepEqual([late.status, late.body.code], [401, 'console_session_invalid'])
    })
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { scopesOfRole } from '@backline/server/support/vocabulary/roles.ts'
import { type Browser, signedIn } from '../console.ts'
import { conversation, say, succeeded } from '../desk.ts'
import { type Answer, service, type World } from '../harness.ts'
import { vacantRequest } from './faults.ts'
import { allRoutes, Fixtures, routes, titleOf } from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'

const both = (...families: string[]) => families.flatMap((family) => [`${family}:read`, `${family}:write`])
const reading = (...families: string[]) => families.map((family) => `${family}:read`)
const writing = (...families: string[]) => families.map((family) => `${family}:write`)

const forAdmins = [
  'webhook_endpoints',
  'end_user_sessions',
  'identity_keys',
  'audit_log',
  'api_keys',
  'workspace',
]
const forAgents = [
  ...both('conversations', 'messages', 'end_users', 'companies', 'files'),
  ...reading('departments', 'categories', 'macros', 'hold_reasons', 'sla_configs', 'message_templates', 'kb'),
  ...reading('faqs', 'tags', 'operators', 'custom_fields', 'views', 'events'),
]
const forLeads = writing(
  ...['macros', 'message_templates', 'kb', 'faqs', 'tags', 'categories', 'hold_reasons', 'views'],
)
const listed = new Set([...reading(...forAdmins), ...forAgents].map((scope) => scope.split(':')[0]))
/** The scopes of families that this file does not list: as their resources declare them. */
const others = (role: 'agent' | 'lead') =>
  scopesOfRole[role].filter((scope) => !listed.has(scope.split(':')[0]!))

const agent = [...forAgents, ...others('agent')]
const lead = [...forAgents, ...forLeads, ...others('lead')]
/** The scopes of each role; null for all. */
const scopesOf: Record<string, string[] | null> = { agent, lead, admin: null }

/** The routes of work at a desk, which every role needs. */
const ofDesks = [
  'claimConversation',
  'claimNextConversation',
  'assignConversation',
  'holdConversation',
  'resumeConversation',
  'resolveConversation',
  'reopenConversation',
  'mergeConversation',
  'changeConversationTags',
  'replaceConversationTags',
  'markConversationRead',
  'markReadForMe',
  'markUnreadForMe',
  'updateTyping',
  'updatePresence',
  'listPresence',
  'createMessage',
  'updateMessage',
  'applyMacro',
  'previewMacro',
  'renderMessageTemplate',
  'listViewItems',
  'countViewItems',
  'streamEvents',
  'createFile',
  'completeFile',
  'getFileContent',
  'updateEndUser',
  'blockEndUser',
]

/** Routes that refuse agents in spite of their scopes. */
const refusedToAgents = new Set(['deleteConversation', 'startExport', 'startImport'])

const bare = ({ cookie }: Browser, environment = 'test') => ({ cookie, 'backline-console': environment })

describe('roles in the console', () => {
  const api = service()
  let world: World
  const browsers: Record<string, Browser> = {}
  const vacant = (route: (typeof allRoutes)[number], role: string): Promise<Sent> => {
    const request = vacantRequest(route, '')
    return send(api, { ...request, key: null, headers: { ...request.headers, ...bare(browsers[role]!) } })
  }

  before(async () => {
    world = await api.world()
    for (const role of Object.keys(scopesOf)) browsers[role] = await signedIn(api, world, role)
  })

  for (const route of routes)
    test(`are let in by their scopes: ${titleOf(route)}`, async () => {
      for (const [role, scopes] of Object.entries(scopesOf)) {
        const answer = await vacant(route, role)
        if (role === 'agent' && refusedToAgents.has(route.name))
          assert.ok([403, 404, 422].includes(answer.status), show(answer)) // the body comes before the role
        else if (scopes?.includes(route.scope) ?? true)
          assert.ok(![401, 403].includes(answer.status), `${role}: ${show(answer)}`)
        else {
          refused(answer, 'scope_missing')
          assert.deepEqual(answer.body.params, { scope: route.scope }, role)
        }
      }
    })

  for (const route of routes) {
    const [first] = Object.entries(scopesOf).find(([, scopes]) => scopes?.includes(route.scope) ?? true)!
    const role = refusedToAgents.has(route.name) ? 'lead' : first
    test(`${route.status} in the console, for ${role}: ${titleOf(route)}`, async () => {
      const fixtures = new Fixtures(api, world.test)
      // Operators write as themselves, edit what operators wrote, and see their own sessions.
      const own = { author_side: 'operator' }
      const given: Record<string, () => Promise<object>> = {
        updateMessage: async () => ({ id: await fixtures.create('msg', own) }),
        redactMessage: async () => ({ id: await fixtures.create('msg', own) }),
        getConsoleSession: async () => {
          const { body } = await browsers[role]!.send('GET', '/v1/console_sessions')
          return { id: body.data[0].id }
        },
      }
      const { request } = await fixtures.call(route, { ...(await given[route.name]?.()) })
      // The operator is the one who has signed in.
      const { 'backline-operator': _, ...headers } = request.headers ?? {}
      const answer = await send(api, {
        ...request,
        ...(route.name === 'createMessage' ? { body: { ...(request.body as object), ...own } } : {}),
        key: null,
        headers: { ...headers, ...bare(browsers[role]!) },
      })
      assert.equal(answer.status, route.status, show(answer))
    })
  }

  for (const route of allRoutes.filter(({ credential }) => credential && credential !== 'none'))
    test(`403 on routes for other credentials: ${titleOf(route)}`, async () => {
      const answer = await vacant(route, 'admin')
      refused(answer, 'scope_missing')
      assert.deepEqual(answer.body.params, { credential: route.credential, presented: 'secret_key' })
    })

  test('an agent may use every route of work at a desk', () => {
    const named = new Map(routes.map((route) => [route.name, route.scope]))
    for (const name of ofDesks) {
      assert.ok(named.has(name), `${name} is no route: ${[...named.keys()]}`)
      assert.ok(agent.includes(named.get(name)!), name)
    }
  })

  describe('only administrators write for the end user or the system', () => {
    let id: string
    let written: string
    let scheduled: string
    let sendAt: string
    const refusals = (role: string) => {
      const { send } = browsers[role]!
      const messages = `/v1/conversations/${id}/messages`
      const later = { send_at: sendAt }
      return [
        send('POST', messages, { author_side: 'end_user', body: 'In the name of the end user' }),
        send('POST', messages, { author_side: 'system', body: 'In the name of the system' }),
        send('POST', messages, { author_side: 'system', body: 'In the name of the system', ...later }),
        send('POST', '/v1/conversations', { external_user_id: 'user_42', message: { body: 'Hello' } }),
        send('PATCH', `/v1/messages/${written}`, { body: `Not written by the end user, but by ${role}` }),
        send('PATCH', `/v1/messages/${scheduled}`, { body: `Not written by a service, but by ${role}` }),
        send('PUT', `/v1/conversations/${id}/typing`, { side: 'end_user', typing: true }),
      ]
    }
    before(async () => {
      const { id: conversationId, created_at } = await conversation(world.test)
      id = conversationId
      sendAt = new Date(Date.parse(created_at) + 86_400_000).toISOString()
      written = (await say(world.test, id, 'end_user', { body: 'Written by the end user' })).id
      scheduled = (await say(world.test, id, 'system', { body: 'Written by a service', send_at: sendAt })).id
    })

    for (const role of ['agent', 'lead'])
      test(`the role ${role} is refused, and writes as itself`, async () => {
        const { send, operatorId } = browsers[role]!
        for (const { status, body } of await Promise.all(refusals(role)))
          assert.deepEqual([status, body.code, body.params], [403, 'scope_missing', { scope: '*' }])
        const { body: text } = succeeded(await world.test.get(`/v1/messages/${written}`))
        assert.equal(text, 'Written by the end user')
        const { body: waiting } = succeeded(await world.test.get(`/v1/messages/${scheduled}`))
        assert.equal(waiting, 'Written by a service')
        const own = { author_side: 'operator', body: 'From the team' }
        const { status, body } = await send('POST', `/v1/conversations/${id}/messages`, own)
        assert.deepEqual([status, body.operator_id], [201, operatorId])
        const edited = await send('PATCH', `/v1/messages/${body.id}`, { body: 'From our team' })
        assert.equal(edited.status, 200, edited.text)
        for (const message of [written, scheduled]) {
          const noted = await send('PATCH', `/v1/messages/${message}`, { metadata: { seen: 'yes' } })
          assert.equal(noted.status, 200, noted.text)
        }
        const begun = {
          external_user_id: 'user_42',
          initiated_by_side: 'operator',
          message: { body: 'Hello' },
        }
        for (const each of [begun, { external_user_id: 'user_42' }])
          assert.equal((await send('POST', '/v1/conversations', each)).status, 201)
      })

    test('an administrator and an API key may', async () => {
      for (const { status, text } of await Promise.all(refusals('admin')))
        assert.ok(status >= 200 && status < 300, text)
      const said = await say(world.test, id, 'end_user', { body: 'Passed on by a channel' })
      assert.equal(said.author_side, 'end_user')
    })
  })

  describe('only leads and administrators redact messages of end users', () => {
    const message = async (author_side: string): Promise<string> =>
      (await say(world.test, (await conversation(world.test)).id, author_side)).id
    /** Sends a request in the console, and with a key that acts for an operator of the role. */
    const redactions = async (role: string, author_side: string): Promise<Answer[]> => {
      const path = async () => `/v1/messages/${await message(author_side)}/redact`
      return [
        await browsers[role]!.send('POST', await path()),
        await world.test.post(await path(), undefined, { 'backline-operator': browsers[role]!.operatorId }),
      ]
    }

    test('an agent is refused, and redacts what operators wrote', async () => {
      for (const { status, body } of await redactions('agent', 'end_user'))
        assert.deepEqual([status, body.code, body.params], [403, 'scope_missing', { role: 'lead' }])
      for (const answer of await redactions('agent', 'operator')) succeeded(answer)
    })

    for (const role of ['lead', 'admin'])
      test(`the role ${role} may`, async () => {
        for (const answer of await redactions(role, 'end_user')) assert.equal(succeeded(answer).body, '')
      })

    test('a key that acts for nobody may', async () => {
      succeeded(await world.test.post(`/v1/messages/${await message('end_user')}/redact`))
    })
  })

  for (const route of routes.filter(({ ownParam }) => ownParam))
    test(`an agent may do it as itself, and nobody else: ${titleOf(route)}`, async () => {
      const { operatorId } = browsers.agent!
      const own = async (id: string, headers: Record<string, string>) => {
        const { request } = await new Fixtures(api, world.test).call(route, { [route.ownParam!]: id })
        return send(api, { ...request, key: null, headers: { ...request.headers, ...headers } })
      }
      const answer = await own(operatorId, bare(browsers.agent!))
      assert.equal(answer.status, route.status, show(answer))
      refused(await own(browsers.lead!.operatorId, bare(browsers.agent!)), 'scope_missing')
      refused(await own(operatorId, bare(browsers.lead!)), 'scope_missing')
      // The operator in the other environment is another one.
      refused(await own(operatorId, bare(browsers.agent!, 'live')), 'scope_missing')
    })
})

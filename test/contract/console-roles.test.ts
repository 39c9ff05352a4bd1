import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Browser, signedIn } from '../console.ts'
import { service, type World } from '../harness.ts'
import { vacantRequest } from './faults.ts'
import { allRoutes, Fixtures, routes, titleOf } from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'

const both = (...families: string[]) => families.flatMap((family) => [`${family}:read`, `${family}:write`])
const reading = (...families: string[]) => families.map((family) => `${family}:read`)
const writing = (...families: string[]) => families.map((family) => `${family}:write`)

const agent = [
  ...both('conversations', 'messages', 'end_users', 'companies', 'files'),
  ...reading('departments', 'categories', 'macros', 'hold_reasons', 'sla_configs', 'message_templates', 'kb'),
  ...reading('faqs', 'tags', 'operators', 'custom_fields', 'views', 'events'),
]
const lead = [
  ...agent,
  ...writing('macros', 'message_templates', 'kb', 'faqs', 'tags', 'categories', 'hold_reasons', 'views'),
]
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
  'updateTyping',
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

const bare = ({ cookie }: Browser, environment = 'test') => ({ cookie, 'backline-console': environment })

describe('roles in the console', () => {
  const api = service({ environment: { BACKLINE_SESSIONS_PER_MINUTE: '0' } })
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
        if (scopes?.includes(route.scope) ?? true)
          assert.ok(![401, 403].includes(answer.status), `${role}: ${show(answer)}`)
        else {
          refused(answer, 'scope_missing')
          assert.deepEqual(answer.body.params, { scope: route.scope }, role)
        }
      }
    })

  for (const route of routes) {
    const [role] = Object.entries(scopesOf).find(([, scopes]) => scopes?.includes(route.scope) ?? true)!
    test(`${route.status} in the console, for ${role}: ${titleOf(route)}`, async () => {
      const { request } = await new Fixtures(api, world.test).call(route)
      // The operator is the one who has signed in.
      const { 'backline-operator': _, ...headers } = request.headers ?? {}
      const answer = await send(api, {
        ...request,
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

  for (const route of routes.filter(({ ownOperator }) => ownOperator))
    test(`an agent may do it as itself, and nobody else: ${titleOf(route)}`, async () => {
      const { operatorId } = browsers.agent!
      const own = async (id: string, headers: Record<string, string>) => {
        const { request } = await new Fixtures(api, world.test).call(route, { [route.ownOperator!]: id })
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

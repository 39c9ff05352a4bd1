import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { families } from '@backline/server/support/vocabulary/scopes.generated.ts'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import { Fixtures, routes, titleOf } from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'
import { keysWithout, keyWith } from './keys.ts'

/** Paths whose first segment is not the name of their family (contract 1.2). */
const familyOfSegment: Record<string, string> = {
  operator_statuses: 'operators',
  console_sessions: 'operators',
  invitations: 'operators',
  webhook_deliveries: 'webhook_endpoints',
  event_types: 'events',
  erasures: 'erasure',
  retention_policies: 'erasure',
  test_clock: 'workspace',
  bulk: 'jobs',
  exports: 'jobs',
  imports: 'jobs',
  email_suppressions: 'mailboxes',
}
/** Sub-resources with their own scope family, and routes to which the contract assigns another one. */
const otherScopes: Record<string, string[]> = {
  '/conversations/{id}/messages': ['messages'],
  '/message_templates/{id}/render': ['message_templates'],
  '/sla_configs/{id}/simulate': ['sla_configs'],
  '/sla_configs/preview_schedule': ['sla_configs'],
  '/kb/preview': ['kb'],
  '/macros/{id}/apply': ['macros', 'conversations'],
  '/macros/{id}/preview': ['macros', 'conversations'],
  '/end_user_sessions': ['end_users', 'end_user_sessions'],
  '/end_user_sessions/{id}': ['end_users', 'end_user_sessions'],
  '/end_users/{id}/sessions': ['end_user_sessions'],
  '/end_users/{id}/erase': ['erasure'],
  '/end_users/{id}/export': ['erasure'],
  '/end_users/{id}/legal_hold': ['erasure'],
  '/retention_policies/{id}/preview': ['erasure'],
}

/** What only those see who may also make it. */
const shownToWriters = new Set(['getInvitation', 'listInvitations'])

const lacksScope = (answer: Sent, scope: string) =>
  answer.status === 403 && answer.body.params.scope === scope

describe('scopes', () => {
  const api = service()
  let world: World
  const keyWithout = keysWithout(api, () => world)
  const [places, scopes] = [turns(), turns()]
  const keys: Record<string, string> = {}
  const key = async (...scopes: string[]) =>
    (keys[scopes.join()] ??= (await keyWith(api, world.environments.test, { scopes })).key)
  const vacant = (route: Route, secret: string) => send(api, vacantRequest(route, secret))

  before(async () => {
    world = await api.world()
  })

  const closely = new Set(part(routes))
  for (const route of routes) {
    const title = titleOf(route)
    const [family, verb] = route.scope.split(':') as [string, 'read' | 'write']
    const otherVerb = verb === 'read' ? 'write' : 'read'

    test(`a GET needs its family's :read, anything else its :write: ${title}`, () => {
      const segment = route.path.split('/')[1]!
      const expected = otherScopes[route.path] ?? [familyOfSegment[segment] ?? segment]
      assert.ok(
        expected.includes(family),
        `${route.scope} is none of ${expected}: wrong, or a case for the tables above`,
      )
      assert.ok(family in families)
      if (route.method === 'GET') assert.equal(verb, shownToWriters.has(route.name) ? 'write' : 'read')
      else if (!otherScopes[route.path]) assert.equal(verb, 'write')
    })

    test(`403 scope_missing for a key with every scope but ${route.scope}: ${title}`, async () => {
      const answer = await vacant(route, await keyWithout(route.scope))
      refused(answer, 'scope_missing')
      assert.deepEqual(answer.body.params, { scope: route.scope })
    })

    test(`403 scope_missing for *:${otherVerb}: ${title}`, async () => {
      const answer = await vacant(route, await key(`*:${otherVerb}`))
      refused(answer, 'scope_missing')
      assert.deepEqual(answer.body.params, { scope: route.scope })
    })

    test(`${route.scope}, *:${verb} and * let in: ${title}`, async () => {
      for (const scope of scopes([route.scope, `*:${verb}`, '*'], 1)) {
        const answer = await vacant(route, await key(scope))
        assert.ok(answer.status !== 401 && !lacksScope(answer, route.scope), `${scope}: ${show(answer)}`)
      }
    })

    test(`403 address_not_allowed outside allowed_cidrs, let in inside: ${title}`, async () => {
      const { environments } = world
      const addressed = async (...allowed_cidrs: string[]) => {
        keys[allowed_cidrs.join()] ??= (await keyWith(api, environments.test, { allowed_cidrs })).key
        return vacant(route, keys[allowed_cidrs.join()]!)
      }
      const outside = [['203.0.113.0/24'], ['127.0.0.2'], ['::1', '2001:db8::/32', '10.0.0.0/8']]
      for (const elsewhere of places(outside, 1))
        refused(await addressed(...elsewhere), 'address_not_allowed')
      const inside = [['127.0.0.1'], ['127.0.0.0/8'], ['203.0.113.0/24', '0.0.0.0/0']]
      for (const here of places(inside, 1)) assert.notEqual((await addressed(...here)).status, 403)
    })

    if (!closely.has(route)) continue
    test(`${route.status} with all of *:read and *:write: ${title}`, async () => {
      const fixtures = new Fixtures(api, world.test)
      const call = await fixtures.call(route)
      await fixtures.run({ ...call, request: { ...call.request, key: await key('*:read', '*:write') } })
    })
  }
})

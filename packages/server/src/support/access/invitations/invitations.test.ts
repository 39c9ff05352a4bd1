import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { browserOf, linkOf, signedIn } from '@backline/test/console.ts'
import { keyWith } from '@backline/test/contract/keys.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { ask, inviting, newEmail, outcome, refused } from '@backline/test/inviting.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { pino } from 'pino'
import { newInvitationLink } from '../../vocabulary/credentials.ts'
import { scopesOfRole } from '../../vocabulary/roles.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = service({ log })
let world: World

type Kind = 'live' | 'test'
const { newOperator, invite, read, eventsOf, open } = inviting(api, () => world)

const inNewWorld = () =>
  before(async () => {
    world = await api.world()
  })

describe('an invitation', () => {
  inNewWorld()

  test('is a link that signs in as the operator in both environments, once', async () => {
    const operator = await newOperator({ role: 'lead', timezone: 'Europe/Rome' }, 'live')
    const answer = await ask(world.live, operator)
    assert.equal(answer.status, 201)
    const { id, url, created_at, expires_at, ...rest } = answer.body
    assert.equal(answer.headers.get('location'), `/v1/invitations/${id}`)
    assert.match(id, /^inv_/)
    assert.match(url, /^http:\/\/127\.0\.0\.1:8080\/console#link=bkl_link_[0-9A-Za-z]{50}$/)
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 259_200_000)
    assert.deepEqual(rest, {
      object: 'invitation',
      operator_id: operator.id,
      email: operator.email,
      environments: ['live', 'test'],
      status: 'pending',
      accepted_at: null,
      revoked_at: null,
      updated_at: created_at,
      version: 1,
    })
    const signIn = await open({ url })
    assert.equal(signIn.status, 200)
    const { live, test } = signIn.body.environments
    assert.deepEqual([live.operator.id, live.operator.role], [operator.id, 'lead'])
    const made = succeeded(await world.test.get(`/v1/operators/${test.operator.id}`))
    assert.partialDeepStrictEqual(made, {
      name: 'Ada',
      email: operator.email,
      role: 'lead',
      timezone: 'Europe/Rome',
    })
    for (const kind of ['live', 'test'] as const)
      assert.equal((await browserOf(api, signIn.cookie!, kind).send('GET', '/v1/tags')).status, 200)
    const accepted = await read({ id }, 'live')
    assert.partialDeepStrictEqual(accepted, { status: 'accepted', revoked_at: null, url: null, version: 2 })
    assert.equal(typeof accepted.accepted_at, 'string')
    assert.equal(outcome(await open({ url })), refused('used'))
    assert.deepEqual(await eventsOf({ id }, 'live'), ['invitation.created', 'invitation.accepted'])
  })

  test('opens the test environment as the operator who has the address there', async () => {
    const there = await newOperator({ name: 'Ada there' })
    const operator = await newOperator({ email: there.email.toUpperCase(), role: 'lead' }, 'live')
    const { environments } = (await open(await invite(operator, 'live'))).body
    assert.deepEqual(environments.test.operator.id, there.id)
    assert.equal((await read({ id: (await latest(operator, 'live')).id }, 'live')).status, 'accepted')
    assert.equal(succeeded(await world.test.get(`/v1/operators/${there.id}`)).role, 'agent')
  })

  test('of a test key opens the test environment alone', async () => {
    const operator = await newOperator()
    const there = await newOperator({ email: operator.email, role: 'admin' }, 'live')
    const invitation = await invite(operator)
    assert.deepEqual(invitation.environments, ['test'])
    const { body, cookie } = await open(invitation)
    assert.deepEqual([body.environments.live, body.environments.test.operator.id], [null, operator.id])
    const live = await browserOf(api, cookie!, 'live').send('GET', '/v1/tags')
    assert.equal(outcome(live), refused('unknown'))
    assert.deepEqual(succeeded(await world.live.get(`/v1/console_sessions?operator_id=${there.id}`)).data, [])
    const other = await newOperator()
    assert.equal((await open(await invite(other))).body.environments.live, null)
    const all = succeeded(await world.live.get(`/v1/operators?email=${other.email}`))
    assert.deepEqual(all.data, [])
  })

  test('opens the test environment only as whom the inviting credential could invite', async () => {
    const { key } = await keyWith(api, world.environments.live, { scopes: ['operators:write'] })
    const writer = api.client(key)
    const opens = async (there: object, client: Client): Promise<string[]> => {
      const operator = await newOperator({}, 'live')
      await newOperator({ email: operator.email, ...there })
      return succeeded(await ask(client, operator)).environments
    }
    assert.deepEqual(await opens({ role: 'admin' }, writer), ['live'])
    assert.deepEqual(await opens({ role: 'lead' }, writer), ['live'])
    assert.deepEqual(await opens({ role: 'agent' }, writer), ['live', 'test'])
    assert.deepEqual(await opens({ role: 'admin' }, world.live), ['live', 'test'])
    assert.deepEqual(await opens({ archived: true }, world.live), ['live'])
  })

  test('does not open the test environment as an operator who was archived or got a higher role there', async () => {
    const { key } = await keyWith(api, world.environments.live, { scopes: ['operators:write'] })
    for (const [client, patch] of [
      [api.client(key), { role: 'admin' }],
      [world.live, { archived: true }],
    ] as const) {
      const operator = await newOperator({}, 'live')
      const there = await newOperator({ email: operator.email })
      const invitation = succeeded(await ask(client, operator))
      assert.deepEqual(invitation.environments, ['live', 'test'])
      succeeded(await world.test.patch(`/v1/operators/${there.id}`, patch))
      const { environments } = (await open(invitation)).body
      assert.deepEqual([environments.live.operator.id, environments.test], [operator.id, null])
    }
  })

  test('names a time between 15 minutes and a week', async () => {
    const operator = await newOperator()
    for (const expires_in_seconds of [900, 604_800]) {
      const { created_at, expires_at } = await invite(operator, 'test', { expires_in_seconds })
      assert.equal(Date.parse(expires_at) - Date.parse(created_at), expires_in_seconds * 1000)
    }
    for (const expires_in_seconds of [899, 604_801, 1000.5, null])
      assert.equal((await ask(world.test, operator, { expires_in_seconds })).status, 422)
  })

  test('of an archived operator is refused, and of an unknown one', async () => {
    const answer = await ask(world.test, await newOperator({ archived: true }))
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.params],
      [409, 'invalid_transition', { from: 'archived', action: 'invite', allowed: [] }],
    )
    const elsewhere = await newOperator({}, 'live')
    assert.equal((await ask(world.test, elsewhere)).status, 404)
    assert.equal((await world.test.get(`/v1/operators/${elsewhere.id}/invitations`)).status, 404)
  })

  test('needs operators:write, and the scopes of the role of the operator', async () => {
    const keys: Record<string, Client> = {
      reading: await world.withScopes('operators:read', 'conversations:write'),
      operators: await world.withScopes('operators:write'),
      lead: await world.withScopes('operators:write', ...scopesOfRole.lead),
      all: world.test,
    }
    const missing: Record<string, (string | null)[]> = {
      reading: ['operators:write', 'operators:write', 'operators:write'],
      operators: [null, scopesOfRole.lead[0]!, '*'],
      lead: [null, null, '*'],
      all: [null, null, null],
    }
    const operators = await Promise.all(['agent', 'lead', 'admin'].map((role) => newOperator({ role })))
    for (const [name, scopes] of Object.entries(missing)) {
      for (const [i, scope] of scopes.entries()) {
        const { status, body } = await ask(keys[name]!, operators[i]!)
        const expected = scope === null ? [201, undefined] : [403, scope]
        assert.deepEqual([status, body.params?.scope], expected, `${name} ${operators[i]!.role}`)
      }
    }
    const { id } = await latest(operators[0]!)
    for (const path of [`/v1/invitations/${id}`, `/v1/operators/${operators[0]!.id}/invitations`])
      assert.equal((await keys.reading!.get(path)).body.params.scope, 'operators:write')
    assert.equal((await keys.reading!.delete(`/v1/invitations/${id}`)).status, 403)
  })

  test('is made in the console by administrators alone', async () => {
    const operator = await newOperator({ role: 'admin' })
    for (const [role, status] of [
      ['agent', 403],
      ['lead', 403],
      ['admin', 201],
    ] as const) {
      const browser = await signedIn(api, world, role)
      const answer = await browser.send('POST', `/v1/operators/${operator.id}/invite`)
      assert.equal(answer.status, status, role)
      if (role === 'admin') assert.equal((await open(answer.body)).status, 200)
      const events = await browser.send('GET', '/v1/events?types=invitation.created')
      assert.equal(events.body.data.length > 0, role === 'admin')
    }
  })
})

const latest = async ({ id }: Body, kind: Kind = 'test'): Promise<Body> =>
  succeeded(await world[kind].get(`/v1/operators/${id}/invitations`)).data[0]

describe('the link of an invitation', () => {
  inNewWorld()

  test('is in the response and its replay to the same credential, and nowhere else', async () => {
    const operator = await newOperator()
    const path = `/v1/operators/${operator.id}/invite`
    const headers = { 'idempotency-key': randomUUID() }
    const first = await world.test.post(path, {}, headers)
    const { url, id } = first.body
    assert.equal((await world.test.post(path, {}, headers)).text, first.text)
    const other = await world.withScopes('*')
    assert.deepEqual((await other.post(path, {}, headers)).body, { ...first.body, url: null })

    const admin = await signedIn(api, world, 'admin')
    const sent = { 'idempotency-key': randomUUID() }
    const byAdmin = await admin.send('POST', path, {}, sent)
    assert.equal((await admin.send('POST', path, {}, sent)).body.url, byAdmin.body.url)

    await open({ url: byAdmin.body.url })
    const shown = [
      await read({ id }),
      ...succeeded(await world.test.get(`/v1/operators/${operator.id}/invitations`)).data,
    ]
    for (const each of shown) assert.equal(each.url, null)
    const told = await Promise.all(
      [`/v1/events?resource_id=${id}`, `/v1/audit_log?resource_id=${id}`].map((path) => world.test.get(path)),
    )
    for (const link of [url, byAdmin.body.url]) {
      const [, token] = link.split('#link=')
      assert.deepEqual(await tablesWith(api, token), [])
      assert.ok(![...lines, ...told.map(({ text }) => text)].join('').includes(token))
    }
  })

  test('is refused with the reason', async () => {
    const { url } = await invite(await newOperator())
    const mistyped = url.slice(0, -1) + (url.endsWith('x') ? 'y' : 'x')
    assert.equal(outcome(await open({ url: mistyped })), refused('malformed'))
    for (const tenantId of [world.environments.test.tenantId, randomUUID()]) {
      const unknown = `#link=${newInvitationLink({ ...world.environments.test, tenantId })}`
      assert.equal(outcome(await open({ url: unknown })), refused('unknown'))
    }
    assert.equal((await open({ url })).status, 200)
    assert.equal(outcome(await open({ url })), refused('used'))
  })

  test('expires by the clock of its environment', async () => {
    const [inTest, inLive] = [await newOperator(), await newOperator({}, 'live')]
    const mine = await invite(inTest, 'test', { expires_in_seconds: 900 })
    const other = await invite(inLive, 'live', { expires_in_seconds: 900 })
    const tag = (await world.test.get(`/v1/invitations/${mine.id}`)).headers.get('etag')!
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 900 }))
    assert.equal(outcome(await open(mine)), refused('expired'))
    const again = await world.test.get(`/v1/invitations/${mine.id}`, { 'if-none-match': tag })
    assert.equal(again.status, 200)
    assert.partialDeepStrictEqual(again.body, { status: 'expired', revoked_at: null, version: 1 })
    assert.equal((await world.test.delete(`/v1/invitations/${mine.id}`)).status, 204)
    assert.equal((await read(mine)).status, 'expired')
    const { body } = await open(other)
    assert.notEqual(body.environments.live, null)
    assert.deepEqual(await eventsOf(mine), ['invitation.created'])
    const next = await invite(inTest)
    assert.ok(next.expires_at > mine.expires_at)
    assert.equal((await read(mine)).status, 'expired')
  })
})

describe('of an operator, one invitation is pending', () => {
  inNewWorld()

  test('a new one revokes it, and leaves those that are not pending', async () => {
    const operator = await newOperator()
    const accepted = await invite(operator)
    assert.equal((await open(accepted)).status, 200)
    const revoked = await invite(operator)
    const pending = await invite(operator)
    const all = succeeded(await world.test.get(`/v1/operators/${operator.id}/invitations`))
    assert.deepEqual(
      all.data.map(({ id, status }: Body) => [id, status]),
      [
        [pending.id, 'pending'],
        [revoked.id, 'revoked'],
        [accepted.id, 'accepted'],
      ],
    )
    assert.equal(outcome(await open(revoked)), refused('revoked'))
    assert.deepEqual(await eventsOf(revoked), ['invitation.created', 'invitation.revoked'])
    assert.equal((await open(pending)).status, 200)
  })

  test('a request revokes it; it stays readable, and one that is not pending stays as it is', async () => {
    const operator = await newOperator()
    const invitation = await invite(operator)
    const path = `/v1/invitations/${invitation.id}`
    assert.equal((await world.test.delete(path, { 'if-match': '"9"' })).status, 412)
    for (let i = 0; i < 2; i++) assert.equal((await world.test.delete(path)).status, 204)
    const { status, revoked_at, version } = await read(invitation)
    assert.deepEqual([status, typeof revoked_at, version], ['revoked', 'string', 2])
    assert.equal(outcome(await open(invitation)), refused('revoked'))
    const accepted = await invite(operator)
    await open(accepted)
    const before = await read(accepted)
    assert.equal((await world.test.delete(`/v1/invitations/${accepted.id}`)).status, 204)
    assert.deepEqual(await read(accepted), before)
    assert.equal((await world.live.delete(path)).status, 404)
  })

  test('it ends when its operator is archived, or gets another address or a higher role, and not by other changes', async () => {
    const patches: [role: string, patch: object, ends: boolean][] = [
      ['agent', { archived: true }, true],
      ['agent', { email: newEmail() }, true],
      ['agent', { role: 'lead' }, true],
      ['lead', { role: 'admin' }, true],
      ['lead', { role: 'agent' }, false],
      ['lead', { name: 'Grace', capacity: 3, timezone: 'Europe/Rome' }, false],
    ]
    for (const [role, patch, ends] of patches) {
      const operator = await newOperator({ role })
      const invitation = await invite(operator)
      const sameAddress = { email: operator.email.toUpperCase() }
      succeeded(
        await world.test.patch(`/v1/operators/${operator.id}`, ends ? patch : { ...patch, ...sameAddress }),
      )
      const { status, email } = await read(invitation)
      assert.deepEqual([status, email], [ends ? 'revoked' : 'pending', operator.email], JSON.stringify(patch))
      assert.equal(outcome(await open(invitation)), ends ? refused('revoked') : '200')
      if (ends) assert.deepEqual(await eventsOf(invitation), ['invitation.created', 'invitation.revoked'])
    }
  })

  test('the end of an archiving brings none back', async () => {
    const operator = await newOperator()
    const invitation = await invite(operator)
    for (const archived of [true, false])
      succeeded(await world.test.patch(`/v1/operators/${operator.id}`, { archived }))
    assert.equal(outcome(await open(invitation)), refused('revoked'))
    assert.equal((await open(await invite(operator))).status, 200)
  })

  test('it ends with its operator, and stays readable', async () => {
    const operator = await newOperator()
    const invitation = await invite(operator)
    assert.equal((await world.test.delete(`/v1/operators/${operator.id}`)).status, 204)
    assert.partialDeepStrictEqual(await read(invitation), { status: 'revoked', operator_id: operator.id })
    assert.equal(outcome(await open(invitation)), refused('revoked'))
    assert.deepEqual(await eventsOf(invitation), ['invitation.created', 'invitation.revoked'])
    assert.equal((await world.test.get(`/v1/operators/${operator.id}/invitations`)).status, 404)
  })

  test('whoever archives the operator is who revokes it', async () => {
    const operator = await newOperator()
    const { id } = await invite(operator)
    const admin = await signedIn(api, world, 'admin')
    await admin.send('PATCH', `/v1/operators/${operator.id}`, { archived: true })
    const { data } = succeeded(await world.test.get(`/v1/events?resource_id=${id}&types=invitation.revoked`))
    assert.equal(data[0].actor.id, admin.operatorId)
  })

  test('links of the command line stay as they are', async () => {
    const operator = await newOperator()
    const token = await linkOf(api, world, operator.email)
    await open(await invite(operator))
    assert.equal((await open({ url: `#link=${token}` })).status, 200)
  })
})

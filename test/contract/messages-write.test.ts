import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { allScopes } from '@backline/server/support/vocabulary/scopes.ts'
import { conversation, holdReason, succeeded } from '../desk.ts'
import { type Client, service, type World } from '../harness.ts'
import { Fixtures, titleOf, writeRoutes } from './fixtures.ts'
import { refused, send } from './http.ts'
import { keysWithout, keyWith } from './keys.ts'

describe('without messages:write', () => {
  const api = service()
  let world: World
  const keyWithout = keysWithout(api, () => world)
  const limited = async (): Promise<Client> =>
    world.withScopes(...allScopes.filter((scope) => !scope.startsWith('*') && scope !== 'messages:write'))

  /** The public messages of the environment: sent, scheduled, and those that a hold will send. */
  const written = async (): Promise<number> => {
    const { tenantId } = world.environments.test
    const [row] = await api.db.rows<{ count: number }>(sql`select
      (select count(*) from messages where tenant_id = ${tenantId} and visibility = 'public') +
      (select count(*) from scheduled_messages where tenant_id = ${tenantId} and visibility = 'public') +
      (select count(*) from due_work where tenant_id = ${tenantId} and duty in ('hold_follow_up', 'send_message')) as count`)
    return row!.count
  }

  before(async () => {
    world = await api.world()
  })

  for (const route of writeRoutes)
    test(`no public message is sent or scheduled: ${titleOf(route)}`, async () => {
      const { request } = await new Fixtures(api, world.test).call(route)
      const count = await written()
      await send(api, { ...request, key: await keyWithout('messages:write') })
      assert.ok((await written()) <= count)
    })

  const lacksScope = ({ status, body }: { status: number; body: { code: string; params: object } }) => {
    assert.deepEqual([status, body.code], [403, 'scope_missing'])
    assert.partialDeepStrictEqual(body.params, { scope: 'messages:write' })
  }
  const templateOf = async (client: Client): Promise<string> =>
    succeeded(await client.post('/v1/message_templates', { name: 'Still waiting', body: 'We are waiting.' }))
      .id

  test('a conversation begins without a first message alone', async () => {
    const client = await limited()
    const begun = { external_user_id: 'user_42' }
    lacksScope(await client.post('/v1/conversations', { ...begun, message: { body: 'Hello' } }))
    succeeded(await client.post('/v1/conversations', begun))
  })

  test('a macro that replies is neither applied nor previewed, and one that does not is', async () => {
    const client = await limited()
    const { id: conversation_id } = await conversation(world.test)
    const macro = async (...actions: object[]): Promise<string> =>
      succeeded(await world.test.post('/v1/macros', { name: `Macro ${actions.length}`, actions })).id
    const quiet = [
      { type: 'add_tags', tags: ['refund'] },
      { type: 'note', body: 'Refund' },
    ]
    const replying = await macro({ type: 'resume' }, ...quiet, { type: 'reply', body: 'On its way.' })
    for (const route of ['apply', 'preview']) {
      const { status, body } = await client.post(`/v1/macros/${replying}/${route}`, { conversation_id })
      assert.deepEqual([status, body.code, body.params], [403, 'scope_missing', { scope: 'messages:write' }])
    }
    const { tags, message_count } = succeeded(await world.test.get(`/v1/conversations/${conversation_id}`))
    assert.deepEqual([tags, message_count], [[], 0])
    succeeded(await client.post(`/v1/macros/${await macro(...quiet)}/apply`, { conversation_id }))
  })

  test('a hold reason gets no follow-ups, and one that has them begins no hold', async () => {
    const client = await limited()
    const follow_up = { every_seconds: 3600, template_id: await templateOf(world.test), max_count: 3 }
    lacksScope(await client.post('/v1/hold_reasons', { name: 'Bank', follow_up }))
    const quiet = await holdReason(client)
    lacksScope(await client.patch(`/v1/hold_reasons/${quiet}`, { follow_up }))
    const telling = await holdReason(world.test, { follow_up })
    lacksScope(await client.patch(`/v1/hold_reasons/${telling}`, { follow_up: { every_seconds: 60 } }))

    const { id } = await conversation(world.test)
    lacksScope(await client.post(`/v1/conversations/${id}/hold`, { hold_reason_id: telling }))
    const actions = [{ type: 'hold', hold_reason_id: telling }]
    const macro = succeeded(await world.test.post('/v1/macros', { name: 'Wait for the bank', actions })).id
    lacksScope(await client.post(`/v1/macros/${macro}/apply`, { conversation_id: id }))
    succeeded(await client.post(`/v1/conversations/${id}/hold`, { hold_reason_id: quiet }))
    succeeded(await client.patch(`/v1/hold_reasons/${telling}`, { follow_up: null, requires_note: true }))
  })

  test('the scope that is missing is that of the key, whoever it acts for', async () => {
    const acting = succeeded(
      await world.test.post('/v1/operators', { name: 'Ada', email: 'ada@example.com', role: 'admin' }),
    ).id
    const { id: conversation_id } = await conversation(world.test)
    const actions = [{ type: 'reply', body: 'On its way.' }]
    const macro = succeeded(await world.test.post('/v1/macros', { name: 'On its way', actions })).id
    const scopes = ['macros:read', 'conversations:write']
    const as = async (...more: string[]) => {
      const { key } = await keyWith(api, world.environments.test, { scopes: [...scopes, ...more] })
      const path = `/v1/macros/${macro}/apply`
      const headers = { 'backline-operator': acting }
      return send(api, { method: 'POST', path, key, headers, body: { conversation_id } })
    }
    refused(await as(), 'scope_missing')
    assert.equal((await as('messages:write')).status, 200)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { assign, noticed, team } from '@backline/test/notifications.ts'
import { journalOf, webhookEndpoint } from '@backline/test/webhook-fixtures.ts'
import { endOfJournal } from '../../../../platform/journal/heads.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { compile, type Sql } from '../../../../platform/postgres/sql.ts'
import { fanOut } from './fan-out.ts'

const api = service()

test('an endpoint that is enabled during a batch receives the events after that in the next one', async () => {
  const { test, environments } = await api.world()
  const name = async (name: string) => succeeded(await test.post('/v1/tags', { name }))
  await webhookEndpoint(test)
  await name('before')
  const ctx = api.context(environments.test)
  let isEnabled = false
  const rows: Db['rows'] = async <Row>(query: Sql) => {
    const found = await ctx.db.rows<Row>(query)
    if (!isEnabled && compile(query).text.includes('webhook_endpoint_states')) {
      isEnabled = true
      await webhookEndpoint(test, { url: 'https://hooks.example.com/other' })
      await name('after')
    }
    return found
  }
  const consumer = fanOut(() => undefined)
  const end = () => endOfJournal(ctx.db, ctx.env.tenantId)
  const first = await consumer.take({ ...ctx, db: { ...ctx.db, rows } }, null, await end())
  assert.ok(isEnabled && first && first !== 'nobody')
  const second = await consumer.take(ctx, first.through, await end())
  assert.ok(second && second !== 'nobody')
  const last = (await journalOf(api, environments.test)).at(-1)!
  const receivers = second.parts.filter(
    ({ item }) => (item as { event: { id: string } }).event.id === last.id,
  )
  assert.equal(receivers.length, 2)
})

test('a notification goes to endpoints that name it or its family, and not to those of all events', async () => {
  const { client, id, ada, environments } = await team(api)
  const of = async (...enabled_events: string[]) =>
    (await webhookEndpoint(client, { enabled_events, url: `https://hooks.example.com/${enabled_events}` })).id
  await of('*')
  const named = [await of('notification.*'), await of('*', 'notification.created')]
  await assign(client, id, ada)
  await noticed(client)
  const ctx = api.context(environments.test)
  const batch = await fanOut(() => undefined).take(ctx, null, await endOfJournal(ctx.db, ctx.env.tenantId))
  assert.ok(batch && batch !== 'nobody')
  const receivers = batch.parts
    .map(({ item }) => item as { endpointId: string; event: { type: string } })
    .filter(({ event }) => event.type === 'notification.created')
  assert.deepEqual(receivers.map(({ endpointId }) => typeId('whe', endpointId)).toSorted(), named.toSorted())
})

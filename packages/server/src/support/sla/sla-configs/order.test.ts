import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service, type World } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { config, refused, reorder, shown } from '@backline/test/sla-fixtures.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const three = async (client: Client) => [await config(client), await config(client), await config(client)]
const order = async (client: Client) =>
  succeeded(await client.get('/v1/sla_configs?archived=true&limit=100')).data.map(({ id }: Body) => id)
const eventsOf = ({ environments }: World) =>
  api.db.rows<{ id: string; previous: object }>(sql`select resource_id as id, previous from events
    where tenant_id = ${environments.test.tenantId} and type = 'sla_config.reordered' order by epoch, events.position, ordinal`)

test('a new config comes last, unless its position says otherwise', async () => {
  const { test } = await api.world()
  const a = await config(test, { position: 7 })
  const b = await config(test)
  const c = await config(test, { position: 7 })
  const end = await config(test, { position: 2147483647 })
  const alsoEnd = await config(test)
  assert.deepEqual([b.position, alsoEnd.position], [8, 2147483647])
  assert.deepEqual(
    await order(test),
    [a, c, b, end, alsoEnd].map(({ id }) => id),
  )
})

test('those that are named come first, all others follow; archived ones have their place', async () => {
  const { test } = await api.world()
  const [a, b, c] = await three(test)
  const d = await config(test, { archived: true, position: 40 })
  const answer = await reorder(test, [d.id, b.id])
  assert.equal(answer.status, 200)
  const { data, ...rest } = answer.body
  assert.deepEqual(rest, { object: 'list', has_more: false, next_cursor: null })
  assert.deepEqual(
    data.map(({ id, position, version }: Body) => [id, position, version]),
    [
      [d.id, 1, 2],
      [b.id, 2, 1],
      [a.id, 3, 2],
      [c.id, 4, 2],
    ],
  )
  for (const each of data) assert.deepEqual(await shown(test, each), each)
  assert.deepEqual(await order(test), [d.id, b.id, a.id, c.id])
})

test('one event for each config that moved, and none for an order that is there already', async () => {
  const world = await api.world()
  const [a, b, c] = await three(world.test)
  succeeded(await reorder(world.test, [b.id]))
  const events = await eventsOf(world)
  assert.deepEqual(
    new Map(events.map(({ id, previous }) => [id, previous])),
    new Map([
      [uuidOf('sla', b.id), { position: 2 }],
      [uuidOf('sla', a.id), { position: 1 }],
    ]),
  )
  const again = succeeded(await reorder(world.test, [b.id, a.id, c.id]))
  assert.deepEqual(
    again.data.map(({ version }: Body) => version),
    [2, 2, 1],
  )
  assert.equal((await eventsOf(world)).length, 2)
})

test('422 for an id that is named twice, and for one of another environment', async () => {
  const { test, live } = await api.world()
  const [a, b] = await three(test)
  const foreign = await config(live)
  const other = await config(live)
  refused(
    await reorder(test, [a.id, b.id, a.id, foreign.id, foreign.id]),
    ['/ids/2', 'not_allowed'],
    ['/ids/4', 'not_allowed'],
  )
  refused(await reorder(test, [a.id, foreign.id, other.id]), ['/ids/1', 'not_found'], ['/ids/2', 'not_found'])
  refused(await reorder(test, []), ['/ids', 'too_short'])
})

describe('beside others', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('of many orders at one time, by two servers, one remains, whole', async () => {
    const { test } = await api.world()
    const clients = [test, clientOf(otherUrl, test.key)]
    const ids = (await Promise.all(Array.from({ length: 6 }, () => config(test)))).map(({ id }) => id)
    const orders = Array.from({ length: 8 }, (_, i) => ids.map((_, k) => ids[(k * (i % 2 ? 1 : 5) + i) % 6]!))
    const answers = await Promise.all(orders.map((ids, i) => reorder(clients[i % 2]!, ids)))
    for (const answer of answers) succeeded(answer)
    const data: Body[] = succeeded(await test.get('/v1/sla_configs')).data
    assert.deepEqual(
      data.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6],
    )
    const present = data.map(({ id }) => id).join()
    assert.ok(orders.some((order) => order.join() === present))
  })
})

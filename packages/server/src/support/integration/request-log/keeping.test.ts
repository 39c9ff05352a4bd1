import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { RequestBuffer } from './log.ts'

const log = '/v1/request_log?limit=100&include=total'
const total = async (client: Client): Promise<number> => succeeded(await client.get(log)).total
const ask = async (client: Client, times: number) => {
  for (let i = 0; i < times; i++) succeeded(await client.get('/v1/tags'))
}

describe('a log of two days and a hundred requests', () => {
  const api = service({
    works: true,
    environment: { BACKLINE_REQUEST_LOG_DAYS: '2', BACKLINE_REQUEST_LOG_ROWS: '100' },
  })
  const stored = async (tenantId: string) => {
    const query = sql`select count(*) from request_log where tenant_id = ${tenantId}`
    const [row] = await api.db.home(tenantId).rows<{ count: number }>(query)
    return row!.count
  }

  test('older requests are neither shown nor kept, by the clock of the environment', async () => {
    const { test: client, live, environments } = await api.world()
    await ask(client, 3)
    await ask(live, 1)
    await until('they are there', async () => (await total(client)) === 3 && (await total(live)) === 1)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 2 * 86_400 + 60 }))
    await ask(client, 1)
    await until('only the later one is there', async () => (await total(client)) === 1)
    await until('the others are removed', async () => (await stored(environments.test.tenantId)) === 1)
    assert.equal(await total(live), 1)
  })

  test('of more than a hundred the newest are kept, and a tenth more at most', async () => {
    const { test: client, environments } = await api.world()
    const { tenantId } = environments.test
    await ask(client, 90)
    await ask(client, 90)
    const last = (await client.get('/v1/tags')).headers.get('request-id')
    await until('the last one is there', async () => {
      const { data } = succeeded(await client.get(log))
      return data[0]?.id === last
    })
    await until('the oldest are removed', async () => {
      const count = await stored(tenantId)
      return count >= 100 && count <= 110
    })
  })
})

describe('a server without the log', () => {
  const api = service({ works: true, environment: { BACKLINE_REQUEST_LOG_DAYS: '0' } })

  test('the log is empty, and requests that another server wrote disappear', async () => {
    const { test: client, environments } = await api.world()
    const other = await api.another()
    const { headers } = await other.client(client.key).get('/v1/tags')
    await other.stop()
    await ask(client, 2)
    const { body } = await client.get(log)
    assert.deepEqual([body.data, body.total, body.has_more], [[], 0, false])
    assert.equal((await client.get(`/v1/request_log/${headers.get('request-id')}`)).status, 404)
    const { tenantId } = environments.test
    await until('nothing is stored', async () => {
      const found = await api.db
        .home(tenantId)
        .rows(sql`select 1 from request_log where tenant_id = ${tenantId}`)
      return found.length === 0
    })
  })
})

describe('the log', () => {
  const api = service({})

  test('makes no event and no audit entry', async () => {
    const { test: client } = await api.world()
    await ask(client, 1)
    await until('the request is there', async () => (await total(client)) > 0)
    const { data } = succeeded(await client.get('/v1/events'))
    assert.deepEqual(
      data.map(({ type }: { type: string }) => type),
      ['api_key.created'],
    )
  })

  test('has the last requests of a server that stopped', async () => {
    const { test: client } = await api.world()
    const other = await api.another()
    const { headers } = await other.client(client.key).get('/v1/tags')
    await other.stop()
    const id = headers.get('request-id')
    assert.equal(succeeded(await client.get(`/v1/request_log/${id}`)).id, id)
  })
})

test('requests beyond the buffer are dropped and counted', () => {
  const buffer = new RequestBuffer({ days: 7, rows: 100 })
  const environment = { tenantId: 't', workspaceId: 'w', kind: 'test', clockOffsetMs: 0 } as const
  const actor = { type: 'api_key', id: 'key', operator_id: null }
  const caller = { environment, actor, holderId: 'k', viewerId: null, facts: {} }
  const record = {
    id: 'req_01jd3v7wh2e7ktvq4n1m8r5z9b',
    method: 'GET',
    route: '/v1/tags',
    path: '/v1/tags',
    status: 200,
    code: null,
    isReplay: null,
    originalRequestId: null,
    arrivedAtMs: 0,
    durationMs: 1,
    address: '203.0.113.7',
  }
  for (let i = 0; i < 10_003; i++) buffer.add(caller, record)
  assert.equal(buffer.dropped, 3)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { sql } from '../postgres/sql.ts'
import { environmentsWithExpiredKeys } from '../unit-of-work/idempotency-keys.ts'

const api = service({ works: true })
const retentionHours = 720

/** Makes a request with a key, and returns the key. */
async function request(client: Client): Promise<string> {
  const key = randomUUID()
  succeeded(await client.post('/v1/tags', { name: key }, { 'idempotency-key': key }))
  return key
}

const keysOf = async (tenantId: string): Promise<string[]> => {
  const rows = await api.db.rows<{ key: string }>(
    sql`select key from idempotency_keys where tenant_id = ${tenantId}`,
  )
  return rows.map(({ key }) => key)
}

const age = (tenantId: string) =>
  api.db.write(sql`update idempotency_keys set created_at = created_at - make_interval(hours => ${retentionHours + 1})
    where tenant_id = ${tenantId}`)

test('expired idempotency keys are removed in real time, and others stay', async () => {
  const { live, environments } = await api.world()
  const { tenantId } = environments.live
  const old = await request(live)
  await age(tenantId)
  await until('the old key is removed', async () => !(await keysOf(tenantId)).includes(old))
  const young = await request(live)
  assert.ok(!(await environmentsWithExpiredKeys(api.db, api.now(), retentionHours)).includes(tenantId))
  assert.ok((await keysOf(tenantId)).includes(young))
})

test('expired idempotency keys are removed by the clock of a test environment', async () => {
  const { live, test: client, environments } = await api.world()
  const [old, inRealTime] = [await request(client), await request(live)]
  succeeded(await client.post('/v1/test_clock/advance', { seconds: (retentionHours + 1) * 3_600 }))
  await until('the old key is removed', async () => !(await keysOf(environments.test.tenantId)).includes(old))
  const young = await request(client)
  // The key of the advance has expired as well, and may be stored after the old one is removed.
  await until('all old keys are removed', async () => {
    const found = await environmentsWithExpiredKeys(api.db, api.now(), retentionHours)
    return !found.includes(environments.test.tenantId)
  })
  assert.ok((await keysOf(environments.test.tenantId)).includes(young))
  assert.ok((await keysOf(environments.live.tenantId)).includes(inRealTime))
})

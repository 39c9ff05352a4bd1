import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moreEvents, sealed, verificationOf } from '@backline/test/audit.ts'
import { urlOf } from '@backline/test/databases.ts'
import { conversation } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { cleanUp, startServer, until } from '@backline/test/processes.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
after(cleanUp)

const started = (role: string) =>
  startServer({ environment: { DATABASE_URL: urlOf(api.connection), BACKLINE_ROLE: role } })

const blocksOf = (tenantId: string) =>
  api.db.rows<{ number: number; size: number }>(
    sql`select number, octet_length(entries) / 48 as size from audit_blocks where tenant_id = ${tenantId} order by number`,
  )

/** Expires the leases of sealing, so that every process may take them. */
const endLeases = () => api.db.write(sql`update leases set leased_until = now() where work = 'audit'`)

test('one that is killed in the middle leaves nothing half done', async () => {
  const { live, environments } = await api.world()
  const { tenantId } = environments.live
  await conversation(live)
  await moreEvents(api, tenantId, 30_000)
  const first = await started('all')
  await until('it has begun', async () => (await blocksOf(tenantId)).length > 1)
  await first.stop('SIGKILL')
  const begun = await verificationOf(live)
  assert.equal(begun.valid, true)
  assert.ok(begun.unsealed > 0, `${begun.entries_checked} sealed`)
  await endLeases()
  const second = await started('worker')
  const { valid, entries_checked } = await sealed(live)
  assert.deepEqual({ valid, entries_checked }, { valid: true, entries_checked: 30_003 })
  assert.equal((await verificationOf(live, begun.head)).valid, true)
  assert.deepEqual(await second.stop(), { code: 0, signal: null })
  assert.deepEqual(
    await api.db.rows(sql`select 1 from leases where work = 'audit' and tenant_id = ${tenantId}`),
    [],
  )
})

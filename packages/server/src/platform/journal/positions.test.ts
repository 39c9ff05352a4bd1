import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { sql } from '../postgres/sql.ts'
import { endOfJournal } from './heads.ts'
import { advanceConsumer, environmentsWithLag } from './positions.ts'

const api = service({})

test('a poll finds the environments whose journal goes on after the position of a consumer', async () => {
  const { live, environments } = await api.world()
  const { tenantId } = environments.live
  const consumer = 'reader'
  const isBehind = async () => (await environmentsWithLag(api.db, consumer)).includes(tenantId)
  assert.ok(await isBehind(), 'it has no position yet')
  const to = await endOfJournal(api.db, tenantId)
  await api.db.write(advanceConsumer(tenantId, [{ consumer, from: null, to }]))
  assert.ok(!(await isBehind()))
  await conversation(live)
  assert.ok(await isBehind(), 'an event follows')
  await api.db.write(
    sql`update journal_positions set epoch = 1, position = '1'::xid8 where tenant_id = ${tenantId}`,
  )
  assert.ok(await isBehind(), 'its position is from before the upgrade')
  await api.db.write(
    advanceConsumer(tenantId, [
      { consumer, from: { epoch: 1, position: 1, ordinal: 0 }, to: await endOfJournal(api.db, tenantId) },
    ]),
  )
  assert.ok(!(await isBehind()))
  await conversation(live)
  await api.db.write(sql`update journal_heads set position = 0 where tenant_id = ${tenantId}`)
  assert.ok(await isBehind(), 'its head was added by a start')
})

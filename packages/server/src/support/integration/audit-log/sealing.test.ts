import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { moreEvents, sealed, verificationOf } from '@backline/test/audit.ts'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/* Separate servers seal; the one of `service()` does no background work. */

const api = service()
after(cleanUp)

const blocksOf = (tenantId: string) =>
  api.db.rows<{ number: number; size: number }>(
    sql`select number, octet_length(entries) / 48 as size from audit_blocks where tenant_id = ${tenantId} order by number`,
  )

/** Expires the leases of sealing, so that every process may take them. */
const endLeases = () => api.db.write(sql`update leases set leased_until = now() where work = 'audit'`)

describe('sealing', () => {
  test('what is not sealed yet is counted, and the chain without a link is valid', async () => {
    const { live } = await api.world()
    await conversation(live)
    const nothing = { head: null, entry_id: null, sealed_at: null }
    assert.deepEqual(succeeded(await live.get('/v1/audit_log/head')), { object: 'audit_head', ...nothing })
    assert.deepEqual(await verificationOf(live), {
      object: 'audit_verification',
      valid: true,
      complete: true,
      entries_checked: 0,
      sealed_through: null,
      unsealed: 3,
      head: null,
      first_fault: null,
    })
    const { valid, first_fault } = await verificationOf(live, '0'.repeat(64))
    const { data } = (await live.get('/v1/audit_log?sort=commit')).body
    assert.deepEqual(
      { valid, first_fault },
      { valid: false, first_fault: { entry_id: data[0].id, kind: 'removed' } },
    )
  })

  test('by several servers that all believe it is their turn: one chain, nothing twice, nothing left out', async () => {
    const { live, environments } = await api.world()
    const { tenantId } = environments.live
    const workers = await Promise.all(
      Array.from({ length: rounds(3, 2) }, () => secondServer(api, { BACKLINE_ROLE: 'worker' })),
    )
    let contested = true
    const contest = async () => {
      while (contested) await endLeases()
    }
    const contesting = contest()
    const written = async () => {
      for (let i = 0; i < rounds(40, 4); i++) {
        await Promise.all([conversation(live), conversation(live), conversation(live)])
        if (i % 8 === 0) await moreEvents(api, tenantId, 1_700)
      }
    }
    const { valid, entries_checked, unsealed } = await Promise.all([written(), written()])
      .then(() => sealed(live))
      .finally(() => {
        contested = false
        return contesting
      })
    const [{ count } = { count: 0 }] = await api.db.rows<{ count: number }>(
      sql`select count(*) from events where tenant_id = ${tenantId}`,
    )
    assert.deepEqual(
      { valid, entries_checked, unsealed },
      { valid: true, entries_checked: count, unsealed: 0 },
    )
    const blocks = await blocksOf(tenantId)
    assert.deepEqual(
      blocks.map(({ number }) => number),
      blocks.map((_, i) => i + 1),
    )
    assert.ok(blocks.every(({ size }) => size <= 1_000))
    for (const worker of workers) await worker.stop()
  })
})

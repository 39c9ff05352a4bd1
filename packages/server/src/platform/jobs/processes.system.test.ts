import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { urlOf } from '@backline/test/databases.ts'
import { act, conversation, department, holdReason, operator, shown } from '@backline/test/desk.ts'
import { clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, startServer, until } from '@backline/test/processes.ts'
import { uuidOf } from '../kernel/ids.ts'
import { sql } from '../postgres/sql.ts'

/* Background work of real server processes that share a database. The server of `service()` does none itself. */

const api = service()

const started = (role: string) =>
  startServer({ environment: { DATABASE_URL: urlOf(api.connection), BACKLINE_ROLE: role } })

describe('processes', () => {
  after(cleanUp)

  test('a worker runs the jobs that another process schedules', async () => {
    const [front, worker] = await Promise.all([started('api'), started('worker')])
    const { live } = await api.world()
    const client = clientOf(front.url, live.key)
    const member = await operator(client)
    const department_id = await department(client, [member])
    const hold_reason_id = await holdReason(client, { default_duration_seconds: 1 })
    const { id } = await conversation(client)
    await act(client, id, 'assign', { department_id, assignee_id: null })
    await act(client, id, 'hold', { hold_reason_id })
    await until('the hold has expired', async () => (await shown(client, id)).status === 'open')
    const { data } = (await client.get(`/v1/conversations/${id}/holds`)).body
    assert.partialDeepStrictEqual(data, [{ ended_by: 'expiry' }, ...data.slice(1)])
    assert.ok(data[0].ended_at >= data[0].until)
    assert.deepEqual(await worker.stop(), { code: 0, signal: null })

    const held = await conversation(client)
    await act(client, held.id, 'hold', { hold_reason_id })
    const isDue = sql`select 1 from due_work where subject_id = ${uuidOf('conv', held.id)} and due_at < now()`
    await until('the hold should have expired', async () => (await api.db.rows(isDue)).length === 1)
    assert.equal((await shown(client, held.id)).status, 'on_hold', 'nobody works')
    const next = await started('worker')
    await until('the hold has expired', async () => (await shown(client, held.id)).status === 'open')
    await Promise.all([front.stop(), next.stop()])
  })

  test('after a kill, another process finishes the work, and no job takes effect twice', async () => {
    const { live, environments } = await api.world()
    const { tenantId } = environments.live
    const workers = await Promise.all([started('worker'), started('worker')])
    const { id } = await conversation(live)
    await act(live, id, 'resolve')
    // Inserts five thousand copies, all due to be closed now.
    await api.db.write(sql`with made as (insert into conversations
        select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'resolved_at', now() - interval '8 days'))).*
          from conversations c, generate_series(1, 5000)
          where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)} returning id)
      insert into due_work (tenant_id, duty, subject_id, due_at)
        select ${tenantId}, 'auto_close', id, now() - interval '1 minute' from made`)
    const countOf = async (condition = sql`true`) => {
      const [row] = await api.db.rows<{ count: number }>(
        sql`select count(*) from conversations where tenant_id = ${tenantId} and status = 'closed' and ${condition}`,
      )
      return row!.count
    }
    await until('some are closed', async () => (await countOf()) > 0)
    const lease = sql`select 1 from leases where tenant_id = ${tenantId} and work = 'due'`
    await until('one of them is at it', async () => (await api.db.rows(lease)).length === 1)
    await workers[0].stop('SIGKILL')
    const closed = await countOf()
    // Ends the lease that the killed process may have had.
    await api.db.write(
      sql`update leases set leased_until = now() where tenant_id = ${tenantId} and work = 'due'`,
    )
    await until('all are closed', async () => (await countOf()) === 5000)
    assert.ok(closed < 5000, `killed when ${closed} were closed`)
    const twice = await api.db.rows(sql`select resource_id from events
      where tenant_id = ${tenantId} and type = 'conversation.closed' group by resource_id having count(*) <> 1`)
    assert.deepEqual(twice, [])
    const [told] = await api.db.rows<{ count: number }>(
      sql`select count(*) from events where tenant_id = ${tenantId} and type = 'conversation.closed'`,
    )
    assert.equal(told!.count, 5000)
    assert.deepEqual(await workers[1].stop(), { code: 0, signal: null })
    assert.deepEqual(await api.db.rows(lease), [], 'who stops hands the lease back')
  })
})

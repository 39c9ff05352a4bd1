import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { urlOf } from '@backline/test/databases.ts'
import { act, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, startServer, until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
after(cleanUp)

const day = 24 * 3600
const advance = (client: Client, body: object, headers = {}) =>
  client.post('/v1/test_clock/advance', body, headers)

test('an advance that is killed in the middle is finished by the same request, and nothing is done twice', async () => {
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  const { id } = await conversation(test)
  await act(test, id, 'resolve')
  // Two thousand copies, each to be closed a second after the previous one.
  await api.db.write(sql`with made as (insert into conversations
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'resolved_at', now() - interval '8 days'))).*
        from conversations c, generate_series(1, 2000)
        where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)} returning id)
    insert into due_work (tenant_id, duty, subject_id, due_at)
      select ${tenantId}, 'auto_close', id, now() + make_interval(secs => 60 + row_number() over ()) from made`)
  const closed = async (): Promise<number> => {
    const rows = await api.db.rows<{ count: number }>(sql`select count(*) from conversations
      where tenant_id = ${tenantId} and status = 'closed'`)
    return rows[0]!.count
  }
  const victim = await startServer({
    environment: { DATABASE_URL: urlOf(api.connection), BACKLINE_ROLE: 'api' },
  })
  const headers = { 'idempotency-key': 'in the middle' }
  const body = { seconds: day }
  const interrupted = advance(clientOf(victim.url, test.key), body, headers).catch(() => null)
  await until('some are closed', async () => (await closed()) > 0)
  await victim.stop('SIGKILL')
  assert.equal(await interrupted, null)
  const then = await closed()
  assert.ok(then < 2000, `killed when ${then} were closed`)
  const { offset_seconds } = (await test.get('/v1/test_clock')).body
  assert.ok(offset_seconds < day, 'the clock is where the work is')
  // Expires the lease of the killed process.
  await api.db.write(sql`delete from leases where tenant_id = ${tenantId}`)
  const answer = succeeded(await advance(test, body, headers))
  assert.deepEqual([answer.offset_seconds, answer.events_emitted], [day, 2000 - then])
  const wrong = await api.db.rows(sql`select c.id from conversations c left join events e
      on e.tenant_id = c.tenant_id and e.resource_id = c.id and e.type = 'conversation.closed'
    where c.tenant_id = ${tenantId} and c.id <> ${uuidOf('conv', id)}
    group by c.id, c.closed_at having count(e.resource_id) <> 1 or max(e.created_at) <> c.closed_at`)
  assert.deepEqual(wrong, [])
})

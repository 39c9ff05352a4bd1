import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { urlOf } from '@backline/test/databases.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { conversationLine, type Line, messageLine, startImport } from '@backline/test/imports.ts'
import { ended, resultsOf } from '@backline/test/jobs.ts'
import { startServer, until } from '@backline/test/processes.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/* An import whose process is killed again and again ends as one that nobody disturbed. */

const api = service({})

/** The temporary directory of the servers that are killed. */
const directory = mkdtempSync(join(tmpdir(), 'backline-test-'))
after(() => rmSync(directory, { recursive: true }))
const left = () => readdirSync(directory).filter((name) => name.startsWith('backline-job-'))

const worker = () =>
  startServer({
    environment: {
      TMPDIR: directory,
      DATABASE_URL: urlOf(api.connection),
      BACKLINE_ROLE: 'worker',
      BACKLINE_FILES_DIR: api.filesDir,
    },
  })

const minute = (i: number) => new Date(Date.UTC(2020, 0, 1) + i * 60_000).toISOString()

function lines(): Line[] {
  const all: Line[] = []
  for (let i = 0; i < 40; i++) all.push({ type: 'end_user', external_id: `user_${i}`, name: `User ${i}` })
  for (let i = 0; i < 400; i++) {
    const count = i === 200 ? 1_500 : 5
    for (let j = 0; j < count; j++) {
      const given = j % 2 ? { author_side: 'operator', operator_external_id: `op_${i % 7}` } : {}
      all.push(messageLine(`c${i}-${j}`, `c${i}`, { ...given, created_at: minute(j) }))
    }
    all.push(
      conversationLine(`c${i}`, {
        end_user_external_id: `user_${i % 50}`,
        status: i % 3 ? 'closed' : 'open',
        assignee_external_id: `op_${i % 7}`,
        tags: [`tag ${i % 5}`],
        created_at: minute(0),
        ...(i > 0 && i % 10 === 0 ? { follow_up_of_external_id: `c${i - 1}` } : {}),
      }),
    )
  }
  all.push({ type: 'conversation', external_id: 'bad' }, 'no JSON')
  return all
}

/** Everything that an import has made, without ids. */
async function stateOf(tenantId: string): Promise<unknown> {
  const { db } = api
  const [conversations, messages, operators, mappings, tags, audit] = await Promise.all([
    db.rows(sql`select c.external_id, c.status, c.message_count, c.last_message_at, c.first_response_at, c.waiting_since,
        c.unanswered_since, c.updated_at, c.read_by_operator, f.external_id as follows
      from conversations c left join conversations f on f.tenant_id = ${tenantId} and f.id = c.follow_up_of_id
      where c.tenant_id = ${tenantId} order by c.external_id`),
    db.rows(sql`select m.external_id, m.sequence, m.body, m.created_at, o.external_id as operator
      from messages m left join operators o on o.tenant_id = ${tenantId} and o.id = m.operator_id
      where m.tenant_id = ${tenantId} order by m.external_id`),
    db.rows(
      sql`select o.external_id, o.open_conversations from operators o where o.tenant_id = ${tenantId} order by 1`,
    ),
    db.rows(
      sql`select type, count(*) from import_mappings where tenant_id = ${tenantId} group by type order by type`,
    ),
    db.rows(sql`select t.name, count(*) from conversation_tags u join tags t on t.tenant_id = ${tenantId} and t.id = u.tag_id
      where u.tenant_id = ${tenantId} group by t.name order by t.name`),
    db.rows(sql`select type, count(*) from events where tenant_id = ${tenantId}
      and type = any(array['operator.created', 'end_user.created', 'tag.created']) group by type order by type`),
  ])
  return { conversations, messages, operators, mappings, tags, audit }
}

const progressOf = async (client: Client, id: string): Promise<number> =>
  (await client.get(`/v1/jobs/${id}`)).body.progress.done

test('an import that is killed goes on where it was, does nothing twice, and leaves no files', async () => {
  const [killed, calm] = [await api.world(), await api.world()]
  const job = await startImport(api, killed.test, lines(), { gzip: true })
  let before = 0
  for (let kill = 0; kill < 3; kill++) {
    const one = await worker()
    const more = await until('the import goes on', async () => {
      const done = await progressOf(killed.test, job.id)
      return done > before + 150 ? done : null
    })
    await one.stop('SIGKILL')
    assert.equal(left().length, 1, 'that of the process that was killed')
    before = more
  }
  const last = await worker()
  const end = await ended(killed.test, job)
  const other = await ended(calm.test, await startImport(api, calm.test, lines(), { gzip: true }))
  await last.stop()
  assert.deepEqual(left(), [])
  assert.deepEqual(end.progress, other.progress)
  assert.deepEqual([end.status, end.progress.failed], ['completed_with_errors', 2])
  assert.equal((await resultsOf(killed.test, job)).length, end.progress.total)
  const [one, two] = [
    await stateOf(killed.environments.test.tenantId),
    await stateOf(calm.environments.test.tenantId),
  ]
  assert.deepEqual(one, two)
})

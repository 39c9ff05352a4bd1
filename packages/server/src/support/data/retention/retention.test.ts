import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { sealed } from '@backline/test/audit.ts'
import { act, type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { ended, resultsOf } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'

const api = service({ works: true })

const day = 86_400

/** A closed conversation with a message of each side, one with a file. */
async function closed(client: Client, planted: string, fields: object = {}): Promise<Body> {
  const attached = await file(api, client, {
    bytes: Buffer.from(`${planted} bytes`),
    filename: `${planted}.txt`,
    content_type: 'text/plain',
  })
  const made = await conversation(client, { channel: 'chat', ...fields })
  await say(client, made.id, 'end_user', { body: `${planted} asks`, attachments: [{ file_id: attached.id }] })
  await say(client, made.id, 'operator', { body: `${planted} answers` })
  await act(client, made.id, 'close')
  return { ...made, file: attached }
}

const policy = async (client: Client, fields: object): Promise<Body> =>
  succeeded(
    await client.post('/v1/retention_policies', {
      name: 'Chats',
      filter: { field: 'channel', op: 'is', value: 'chat' },
      after_seconds: day,
      ...fields,
    }),
  )

const preview = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.post(`/v1/retention_policies/${id}/preview`))

const advance = async (client: Client, days: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds: days * day + 60 }))

const bodiesOf = async (client: Client, id: string): Promise<string[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/messages`)).data.map(({ body }: Body) => body)

/** The jobs of policies, the newest first. */
const runsOf = async (client: Client): Promise<Body[]> =>
  succeeded(await client.get('/v1/jobs?type=retention&limit=100')).data

const newestRun = async (client: Client): Promise<Body> => (await runsOf(client))[0]

/** Lets the database refuse the deletion of a conversation. */
async function refuseDeletion(id: string): Promise<void> {
  await api.db.write(sql`create table kept (id uuid)`)
  await api.db.write(sql`insert into kept values (${uuidOf('conv', id)})`)
  await api.db.write(sql`create function refuse() returns trigger language plpgsql as $$ begin
    if exists (select from kept where kept.id = old.id) then raise exception 'kept'; end if;
    return old; end $$`)
  await api.db.write(sql`create trigger refuse before delete on conversations
    for each row execute function refuse()`)
}

describe('a retention policy', () => {
  test('deletes what it matches a day later, and nothing else', async () => {
    const { test } = await api.world()
    const matched = await closed(test, 'zebramatched')
    const mail = await closed(test, 'zebramail', { channel: 'email' })
    const held = await closed(test, 'zebraheld', { external_user_id: 'held' })
    succeeded(await test.put(`/v1/end_users/${held.end_user_id}/legal_hold`, { reason: 'Case 7' }))
    const open = await conversation(test, { channel: 'chat' })
    const made = await policy(test, { action: 'delete' })
    assert.equal(made.status, 'paused')
    assert.deepEqual(await preview(test, made), {
      object: 'retention_preview',
      matched: 0,
      more: false,
      oldest: null,
    })
    await advance(test, 2)
    const { closed_at } = await shown(test, matched.id)
    assert.deepEqual(await preview(test, made), {
      object: 'retention_preview',
      matched: 1,
      more: false,
      oldest: closed_at,
    })
    assert.equal((await shown(test, matched.id)).status, 'closed', 'a paused one does nothing')
    succeeded(await test.patch(`/v1/retention_policies/${made.id}`, { status: 'enabled' }))
    await advance(test, 1)
    assert.equal((await test.get(`/v1/conversations/${matched.id}`)).status, 404)
    for (const { id } of [mail, held, open]) await shown(test, id)
    await until('no text is left', async () => (await placesOf(api, ['zebramatched'])).length === 0)
    const later = await closed(test, 'zebralater')
    await advance(test, 3)
    assert.equal((await test.get(`/v1/conversations/${later.id}`)).status, 404, 'it runs each day')
    assert.equal((await sealed(test)).valid, true)
  })

  test('redacts the messages of all sides, with their files', async () => {
    const { test } = await api.world()
    const made = await closed(test, 'zebraredacted', { subject: 'It stays' })
    const policed = await policy(test, { action: 'redact', status: 'enabled' })
    await advance(test, 2)
    assert.deepEqual(await bodiesOf(test, made.id), ['', ''])
    assert.equal((await shown(test, made.id)).subject, 'It stays')
    assert.equal((await test.get(`/v1/files/${made.file.id}`)).status, 404)
    await until('no text is left', async () => (await placesOf(api, ['zebraredacted'])).length === 0)
    assert.equal((await preview(test, policed)).matched, 0, 'nothing is left to do')
    assert.equal((await sealed(test)).valid, true)
  })

  test('deletes files alone', async () => {
    const { test } = await api.world()
    const made = await closed(test, 'zebrakept')
    const policed = await policy(test, { action: 'delete_files', status: 'enabled' })
    await advance(test, 2)
    assert.deepEqual(await bodiesOf(test, made.id), ['zebrakept asks', 'zebrakept answers'])
    const { data } = succeeded(await test.get(`/v1/conversations/${made.id}/messages`))
    assert.deepEqual([data[0].attachments[0].status, data[0].attachments[0].url], ['deleted', null])
    assert.equal((await preview(test, policed)).matched, 0)
  })

  test('goes on with the others when one conversation cannot be deleted', async () => {
    const { test } = await api.world()
    const made: Body[] = []
    for (let i = 0; i < 6; i++) made.push(await closed(test, `zebra${i}`))
    await refuseDeletion(made[1].id)
    await policy(test, { action: 'delete', status: 'enabled' })
    await advance(test, 2)
    const job = await ended(test, await newestRun(test))
    assert.deepEqual([job.status, job.progress], ['completed_with_errors', { done: 6, total: 6, failed: 1 }])
    const [failed, ...others] = await resultsOf(test, job, '&status=failed')
    assert.deepEqual([failed.id, failed.errors[0].code, others], [made[1].id, 'internal_error', []])
    for (const { id } of made)
      assert.equal((await test.get(`/v1/conversations/${id}`)).status, id === made[1].id ? 200 : 404)
  })

  test('counts the conversations that it leaves out because of a legal hold', async () => {
    const { test } = await api.world()
    const held = await closed(test, 'zebraheld', { external_user_id: 'held' })
    const matched = await closed(test, 'zebramatched')
    succeeded(await test.put(`/v1/end_users/${held.end_user_id}/legal_hold`, { reason: 'Case 7' }))
    await policy(test, { action: 'delete', status: 'enabled' })
    await advance(test, 2)
    const job = await ended(test, await newestRun(test))
    assert.deepEqual([job.status, job.result], ['succeeded', { held: 1 }])
    assert.deepEqual(
      (await resultsOf(test, job)).map(({ id }) => id),
      [matched.id],
    )
  })

  test('runs once for all the days that one advance of the clock passes', async () => {
    const { test } = await api.world()
    await policy(test, { action: 'redact', status: 'enabled' })
    for (const planted of ['zebraone', 'zebratwo']) await closed(test, planted)
    await advance(test, 30)
    assert.equal((await runsOf(test)).length, 1)
    await advance(test, 1)
    assert.equal((await runsOf(test)).length, 2)
  })

  test('has a filter that can be read, and an age of a day', async () => {
    const { test } = await api.world()
    const refused = await test.post('/v1/retention_policies', {
      name: 'Wrong',
      filter: {
        any: [
          { field: 'assignee_id', op: 'is', value: 'me' },
          { field: 'colour', op: 'is', value: 'red' },
        ],
      },
      after_seconds: 60,
      action: 'delete',
    })
    assert.deepEqual(
      [refused.status, refused.body.errors.map(({ pointer }: Body) => pointer).sort()],
      [422, ['/after_seconds', '/filter/any/0/value', '/filter/any/1/field']],
    )
    await policy(test, { action: 'delete' })
    const taken = await test.post('/v1/retention_policies', {
      name: 'chats',
      filter: { field: 'channel', op: 'is', value: 'chat' },
      after_seconds: day,
      action: 'redact',
    })
    assert.deepEqual([taken.status, taken.body.code], [409, 'already_exists'])
  })

  test('is broken once its custom field is gone, and then does nothing', async () => {
    const { test } = await api.world()
    const field = succeeded(
      await test.post('/v1/custom_fields', {
        applies_to: 'conversation',
        key: 'plan',
        name: 'Plan',
        type: 'text',
      }),
    )
    const { id } = await closed(test, 'zebraplan')
    const made = await policy(test, {
      filter: { not: { field: 'custom_fields.plan', op: 'is', value: 'pro' } },
      action: 'delete',
      status: 'enabled',
    })
    succeeded(await test.delete(`/v1/custom_fields/${field.id}`))
    const refused = await test.post(`/v1/retention_policies/${made.id}/preview`)
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.params.pointer],
      [409, 'view_broken', '/not/field'],
    )
    await advance(test, 2)
    await shown(test, id)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, holdReason, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

const api = service()

const listed = async (client: Client, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations?${query}`)).data
const tag = async (client: Client, name: string): Promise<string> =>
  succeeded(await client.post('/v1/tags', { name })).id

describe('a list that was read before', () => {
  test('shows each conversation as reading it by its id does, whatever became of it', async () => {
    const { test } = await api.world()
    const [vip, late] = [await tag(test, 'vip'), await tag(test, 'late')]
    const reason = await holdReason(test)
    const { id } = await conversation(test, { subject: 'One', tags: ['vip'] })
    await conversation(test)
    const steps: [string, () => Promise<unknown>][] = [
      ['it was made', async () => undefined],
      ['it was changed', () => test.patch(`/v1/conversations/${id}`, { subject: 'Two' })],
      ['it was written to', () => say(test, id, 'end_user')],
      ['its tag got another name', () => test.patch(`/v1/tags/${vip}`, { name: 'gold' })],
      ['its tag was merged', () => test.post(`/v1/tags/${vip}/merge`, { into_id: late })],
      ['it was held', () => test.post(`/v1/conversations/${id}/hold`, { hold_reason_id: reason })],
      ['another process changed it', () => changedElsewhere(id, 'Three')],
      ['it lost its tags', () => test.put(`/v1/conversations/${id}/tags`, { tags: [] })],
    ]
    const seen = new Set<string>()
    for (const [what, step] of steps) {
      await step()
      const whole = await shown(test, id)
      for (let again = 0; again < 3; again++) assert.deepEqual((await listed(test))[1], whole, what)
      seen.add(JSON.stringify(whole))
    }
    assert.equal(seen.size, steps.length, 'each step showed')
  })

  test('shows clocks as they are now', async () => {
    const { test } = await api.world()
    const targets = [{ first_response_seconds: 3600 }]
    succeeded(await test.post('/v1/sla_configs', { name: 'SLA', targets }))
    await conversation(test)
    const elapsed = async () => (await listed(test))[0].sla.first_response.elapsed_seconds
    const before = await elapsed()
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 600 }))
    assert.ok((await elapsed()) >= before + 600)
  })

  test('shows nobody the conversations of another environment', async () => {
    const { live, test } = await api.world()
    const { id } = await conversation(test)
    for (const client of [test, live, test, live])
      assert.deepEqual(
        (await listed(client)).map((each) => each.id),
        client === test ? [id] : [],
      )
  })
})

test('while conversations are changed, a page shows each of them as one change left it, in its order', async () => {
  const { test } = await api.world()
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await conversation(test)).id))
  let writing = true
  const write = async (id: string) => {
    for (let n = 1; n <= 30; n++)
      succeeded(
        await test.patch(`/v1/conversations/${id}`, { subject: `after ${n}`, metadata: { n: `${n}` } }),
      )
  }
  const pages: Body[][] = []
  const read = async () => {
    while (writing) pages.push(await listed(test, 'sort=-updated_at&limit=10'))
  }
  const reading = [read(), read()]
  await Promise.all(ids.map(write)).finally(() => {
    writing = false
  })
  await Promise.all(reading)
  for (const page of pages) {
    assert.equal(page.length, 10)
    const times = page.map(({ updated_at }) => updated_at)
    assert.deepEqual(times, times.toSorted().reverse())
    for (const { version, subject, metadata } of page.filter((each) => each.version > 1))
      assert.deepEqual([subject, metadata.n], [`after ${version - 1}`, `${version - 1}`])
  }
  assert.ok(
    new Set(pages.map((page) => JSON.stringify(page))).size > 10,
    'pages changed while they were read',
  )
})

/** Acts as another process that shares only the database. */
async function changedElsewhere(id: string, subject: string): Promise<void> {
  const changed = await api.db.write(sql`update conversations set subject = ${subject}, version = version + 1
    where tenant_id = (select tenant_id from conversations where id = ${uuidOf('conv', id)}) and id = ${uuidOf('conv', id)} returning 1`)
  assert.equal(changed.length, 1)
}

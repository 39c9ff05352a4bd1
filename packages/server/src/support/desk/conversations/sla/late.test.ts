import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, holdReason, shown, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { apply, macro } from '@backline/test/macro-fixtures.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { config } from '@backline/test/sla-fixtures.ts'
import { rounds } from '@backline/test/thorough.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/*
 * Two conversations have the same history on the test clock. One has an SLA from its beginning; the other receives it
 * at the end and must then have the same clocks, computed from the journal.
 */

const api = service()
const turns = 14
const hour = 3600

type Doing = (client: Client, id: string) => Promise<Answer>

const says =
  (author_side: string, fields: object = {}): Doing =>
  (client, id) =>
    client.post(`/v1/conversations/${id}/messages`, { author_side, body: 'Hello', ...fields })

const does =
  (action: string, body: object = {}): Doing =>
  (client, id) =>
    client.post(`/v1/conversations/${id}/${action}`, body)

async function doings(client: Client): Promise<Doing[]> {
  const [pausing, running, expiring] = [
    await holdReason(client),
    await holdReason(client, { pauses_sla: false }),
    await holdReason(client, { resumes_on_reply: false, default_duration_seconds: 2 * hour }),
  ]
  const reply = { type: 'reply', body: 'Hello' }
  const macros = [
    await macro(client, [{ type: 'resolve' }, reply]),
    await macro(client, [{ type: 'hold', hold_reason_id: pausing }, reply]),
  ]
  return [
    says('operator'),
    says('operator', { set_status: 'open' }),
    says('operator', { set_status: 'resolved' }),
    says('operator', { visibility: 'internal' }),
    says('end_user'),
    says('end_user'),
    says('system'),
    ...[pausing, running, expiring].map((hold_reason_id) => does('hold', { hold_reason_id })),
    ...['resume', 'resolve', 'reopen'].map((action) => does(action)),
    ...macros.map(
      (each): Doing =>
        (client, id) =>
          apply(client, each, { id }),
    ),
  ]
}

const names = ['first_response', 'next_response', 'resolution']

/** The twins act one after another, some milliseconds apart, and the test clock runs. */
function assertAlike(one: Body, other: Body, context: string): void {
  for (const name of names) {
    const [clock, twin] = [one[name], other[name]]
    assert.equal(clock?.status, twin?.status, `${name}, ${context}`)
    for (const field of ['due_at', 'met_at', 'warned_at', 'breached_at', 'elapsed_seconds']) {
      const [value, same] = [clock?.[field] ?? null, twin?.[field] ?? null]
      const apart =
        typeof value === 'string' ? (Date.parse(value) - Date.parse(same)) / 1000 : (value ?? 0) - (same ?? 0)
      assert.ok((value === null) === (same === null) && Math.abs(apart) < 5, `${name}.${field}, ${context}`)
    }
  }
}

test('an answer in time is in time, also when the journal has forgotten it', async () => {
  const { test: client, environments } = await api.world()
  await config(client, { conditions: { tags_any: ['vip'] }, targets: [{ first_response_seconds: hour }] })
  const { id, created_at } = await conversation(client)
  await client.post('/v1/test_clock/advance', { seconds: 60 })
  const { created_at: met_at } = succeeded(await says('operator')(client, id))
  const elapsed_seconds = Math.floor((Date.parse(met_at) - Date.parse(created_at)) / 1000)
  await client.post('/v1/test_clock/advance', { seconds: 24 * hour })
  await api.db.write(sql`delete from events where tenant_id = ${environments.test.tenantId}`)
  const { sla } = succeeded(await client.post(`/v1/conversations/${id}/tags`, { add: ['vip'] }))
  assert.partialDeepStrictEqual(sla.first_response, { status: 'met', met_at, elapsed_seconds })
})

test('a conversation that comes late under a config has the clocks of its twin', async (t) => {
  const seed = seedOf(t)
  for (const number of cases(rounds(5, 2)))
    await assertTwins(new Random(`${seed}/${number}`), `${seed}/${number}`)
})

async function assertTwins(random: Random, name: string): Promise<void> {
  const { test: client } = await api.world()
  await config(client, {
    conditions: { tags_any: ['vip'] },
    pauses_on_pending: random.chance(0.5),
    targets: [
      {
        first_response_seconds: random.between(60, 6 * hour),
        next_response_seconds: random.between(60, 4 * hour),
        resolution_seconds: random.between(hour, 40 * hour),
      },
    ],
  })
  const all = await doings(client)
  const beginning = {
    initiated_by_side: random.pick(['end_user', 'end_user', 'operator']),
    ...(random.chance(0.6) ? { message: { body: 'Hello' } } : {}),
  }
  const { id: late } = await conversation(client, beginning)
  const { id: twin } = await conversation(client, { ...beginning, tags: ['vip'] })
  const done: string[] = [name, JSON.stringify(beginning)]
  for (let turn = 0; turn < turns; turn++) {
    const seconds = random.between(10, random.pick([600, 4 * hour, 20 * hour]))
    await client.post('/v1/test_clock/advance', { seconds })
    const chosen = random.between(0, all.length - 1)
    const answers = [await all[chosen]!(client, late), await all[chosen]!(client, twin)]
    done.push(`${chosen} after ${seconds} s: ${answers[0]!.status}`)
    assert.equal(answers[0]!.status, answers[1]!.status, done.join('\n'))
  }
  succeeded(await client.post(`/v1/conversations/${late}/tags`, { add: ['vip'] }))
  const { sla, status } = await shown(client, late)
  if (status === 'closed') return // automatically; no config applies any more
  const explained = async (id: string) => succeeded(await client.get(`/v1/conversations/${id}/sla`))
  for (const other of [(await shown(client, twin)).sla, await explained(twin), await explained(late)])
    assertAlike(sla, other, done.join('\n'))
}

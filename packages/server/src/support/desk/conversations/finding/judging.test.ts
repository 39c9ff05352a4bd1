import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  say,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { url } from '@backline/test/webhook-fixtures.ts'

const api = service()

const longAgo = '2020-01-01T00:00:00Z'

async function allOf(client: Client, path: string): Promise<Body[]> {
  const all: Body[] = []
  for (let cursor = ''; ; ) {
    const { data, has_more, next_cursor } = succeeded(
      await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`),
    )
    all.push(...data)
    if (!has_more) return all
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
}

/** Conversations that differ in what filters can name, and conditions on each of the fields. */
async function desk(client: Client, random: Random) {
  const field = async (applies_to: string, key: string, type: string) =>
    succeeded(await client.post('/v1/custom_fields', { applies_to, key, name: key, type }))
  for (const [key, type] of [
    ['note', 'text'],
    ['size', 'number'],
    ['day', 'date'],
    ['at', 'datetime'],
    ['urgent', 'boolean'],
  ] as const)
    await field('conversation', key, type)
  await field('end_user', 'plan', 'text')
  await field('company', 'seats', 'number')
  const targets = [
    { priority: null, first_response_seconds: 600, next_response_seconds: 60, resolution_seconds: 7200 },
  ]
  succeeded(
    await client.post('/v1/sla_configs', { name: 'All', targets, conditions: { priorities: ['high'] } }),
  )
  const company = succeeded(
    await client.post('/v1/companies', { name: 'ACME', custom_fields: { seats: 40 } }),
  ).id
  const person = async (external_id: string, fields: object = {}): Promise<Body> =>
    succeeded(await client.post('/v1/end_users', { external_id, company_ids: [company], ...fields }))
  const anna = await person('anna', {
    emails: [{ address: 'Anna@Example.com' }],
    custom_fields: { plan: 'pro' },
  })
  const ben = await person('ben')
  const gone = await person('gone')
  const [ada, dept, hold] = [
    await operator(client),
    await department(client, [], { assignment: { strategy: 'manual' } }),
    await holdReason(client),
  ]
  const category = succeeded(await client.post('/v1/categories', { name: 'Billing' })).id
  const tags = ['vip', 'Wichtig', 'old']
  for (const name of tags) succeeded(await client.post('/v1/tags', { name }))
  const maybe = (value: object) => (random.chance(0.5) ? value : {})
  for (let i = 0; i < 40; i++) {
    const { id } = await conversation(client, {
      external_user_id: random.pick(['anna', 'ben', 'gone', 'carl']),
      priority: random.pick(['normal', 'high', 'low']),
      channel: random.pick(['api', 'web']),
      ...maybe({ subject: random.pick(['Refund', 'refund now', 'Ärger']) }),
      ...maybe({ language: 'de' }),
      ...maybe({ department_id: dept }),
      ...maybe({ category_id: category }),
      ...maybe({ assignee_id: ada }),
      ...maybe({ external_id: `case ${i % 3 === 0 ? i : `x${i}`}` }),
      ...maybe({ tags: random.chance(0.5) ? [random.pick(tags)] : tags.slice(0, 2) }),
      custom_fields: {
        ...maybe({ note: random.pick(['Refund', 'refund now']) }),
        ...maybe({ size: random.pick([-2.5, 0, 3]) }),
        ...maybe({ day: random.pick(['2026-01-01', '2026-06-15']) }),
        ...maybe({ at: '2026-06-15T12:30:00.500+02:00' }),
        ...maybe({ urgent: random.chance(0.5) }),
      },
    })
    for (let steps = random.below(5); steps > 0; steps--) {
      const side = random.pick(['end_user', 'operator', 'system'])
      await random.pick([
        () => say(client, id, side),
        () => say(client, id, side),
        () =>
          client.post(`/v1/conversations/${id}/messages`, {
            author_side: 'operator',
            visibility: 'internal',
            body: 'x',
          }),
        () => client.post(`/v1/conversations/${id}/hold`, { hold_reason_id: hold }),
        () => client.post(`/v1/conversations/${id}/resolve`),
        () => client.post(`/v1/conversations/${id}/reopen`),
        () =>
          client.patch(
            `/v1/conversations/${id}`,
            random.chance(0.5) ? { company_id: company } : { subject: null },
          ),
      ])()
    }
  }
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 300 }))
  succeeded(await client.post(`/v1/end_users/${gone.id}/merge`, { into_id: anna.id, keep_alias: true }))
  const tag = (name: string) =>
    allOf(client, '/v1/tags').then((all) => all.find((each) => each.name === name)!)
  succeeded(await client.post(`/v1/tags/${(await tag('old')).id}/merge`, { into_id: (await tag('vip')).id }))
  return {
    status: ['new', 'open', 'pending', 'on_hold', 'resolved'],
    waiting_on: ['operator', 'end_user', 'third_party'],
    priority: ['high', 'low'],
    channel: ['web'],
    assignee_id: [ada],
    department_id: [dept],
    category_id: [category],
    tags: ['VIP', 'wichtig', 'old'],
    external_id: ['case 3'],
    subject: ['Refund', 'Ärger'],
    language: ['de'],
    end_user_id: [anna.id, ben.id, gone.id],
    external_user_id: ['anna', 'gone', 'carl'],
    'end_user.verified': [false, true],
    'end_user.email': ['anna@example.com'],
    'end_user.custom_fields.plan': ['pro'],
    company_id: [company],
    'company.custom_fields.seats': [40, 41],
    message_count: [0, 1, 2],
    reopened_count: [0, 1],
    'hold.hold_reason_id': [hold],
    'sla.status': ['breached', 'running', 'paused', 'met', 'cancelled'],
    'custom_fields.note': ['Refund', 'refund now'],
    'custom_fields.size': [-2.5, 0],
    'custom_fields.day': ['2026-01-01', '2026-02-01'],
    'custom_fields.at': ['2026-06-15T10:30:00.5Z', '2026-06-15'],
    'custom_fields.urgent': [true, false],
    created_at: ['2026-01-01'],
    last_message_at: ['2026-01-01'],
    waiting_since: ['2026-01-01'],
    resolved_at: ['2026-01-01'],
    closed_at: ['2026-01-01'],
    updated_at: ['2026-01-01'],
    'sla.due_at': ['2026-01-01'],
    'sla.breached_at': ['2026-01-01'],
  } as Record<string, unknown[]>
}

const times = /_at$|_since$|\.day$|\.at$/

function randomLeaf(random: Random, values: Record<string, unknown[]>): object {
  const field = random.pick(Object.keys(values))
  const value = random.pick(values[field]!)
  const isOrdered = times.test(field) || typeof value === 'number'
  const op = random.pick([
    'exists',
    ...(field === 'tags' ? ['contains'] : ['is', 'is_not']),
    ...(isOrdered ? ['gt', 'lte'] : []),
    ...(times.test(field) ? ['within'] : []),
    ...(typeof value === 'string' && field !== 'tags' ? ['in', 'not_in'] : []),
  ])
  if (op === 'exists') return { field, op, value: random.chance(0.5) }
  if (op === 'within') return { field, op, value: '-P7D' }
  return { field, op, value: op === 'in' || op === 'not_in' ? [value] : value }
}

function randomTree(random: Random, values: Record<string, unknown[]>, levels = 3): object {
  if (levels === 1 || random.chance(0.5)) return randomLeaf(random, values)
  const kind = random.pick(['all', 'any', 'not'] as const)
  const inner = () => randomTree(random, values, levels - 1)
  return kind === 'not' ? { not: inner() } : { [kind]: [inner(), inner()] }
}

test('a filter lets the last event of a conversation pass if the list with the filter has the conversation', async (t) => {
  const { test: client } = await api.world()
  const random = new Random(seedOf(t))
  const values = await desk(client, random)
  const last = new Map<string, string>()
  for (const { id, type, resource, data } of await allOf(client, '/v1/events'))
    if (/^(conversation|message)\./.test(type)) last.set(data.object.conversation_id ?? resource.id, id)
  assert.equal(last.size, 40)
  for (const _ of cases(rounds(80, 25))) {
    const filter = randomTree(random, values)
    const query = new URLSearchParams({ filter: JSON.stringify(filter) })
    const listed = (await allOf(client, `/v1/conversations?${query}`)).map(({ id }) => id)
    const fields = { url, status: 'paused', filter, enabled_events: ['conversation.*', 'message.*'] }
    const { id } = succeeded(await client.post('/v1/webhook_endpoints', fields))
    succeeded(await client.post(`/v1/webhook_endpoints/${id}/recover`, { since: longAgo }))
    const given = await allOf(client, `/v1/webhook_endpoints/${id}/deliveries`)
    const passed = new Set(given.map(({ event_id }) => event_id))
    const judged = [...last].filter(([, event]) => passed.has(event)).map(([conversation]) => conversation)
    assert.deepEqual(new Set(judged), new Set(listed), JSON.stringify(filter))
    succeeded(await client.delete(`/v1/webhook_endpoints/${id}`))
  }
})

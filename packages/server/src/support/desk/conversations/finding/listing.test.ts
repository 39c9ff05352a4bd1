import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, department, operators, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { typeId, uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { statuses } from '../lifecycle.ts'
import { conversationSorts } from './orders.ts'

const api = service()

/** The columns that lists filter and sort by; ids are UUIDs. */
type Stored = {
  id: string
  status: string
  waiting_on: string | null
  assignee_id: string | null
  department_id: string | null
  priority: string
  channel: string
  initiated_by_side: string
  external_user_id: string
  created_at: string
  updated_at: string
  last_message_at: string | null
  sla_due_at: string | null
}

const start = Date.parse('2026-01-01T00:00:00.000Z')
const at = (second: number) => new Date(start + second * 1000).toISOString()
const waits: Record<string, string | null> = { new: 'operator', open: 'operator', pending: 'end_user' }

function randomRows(random: Random, operators: string[], departments: string[], count: number): Stored[] {
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)]!
  return Array.from({ length: count }, (_, i) => {
    const status = random.next() < 0.6 ? 'closed' : pick(statuses)
    const time = (start + i * 1000).toString(16).padStart(12, '0')
    const onHold = () => pick(['operator', 'end_user', 'third_party'])
    return {
      id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(random.below(1e9)).padStart(12, '0')}`,
      status,
      waiting_on: status === 'on_hold' ? onHold() : (waits[status] ?? null),
      assignee_id: status === 'new' || random.next() < 0.3 ? null : uuidOf('op', pick(operators)),
      department_id: random.next() < 0.4 ? null : uuidOf('dept', pick(departments)),
      priority: pick(['normal', 'normal', 'normal', 'urgent']),
      channel: pick(['api', 'api', 'email']),
      initiated_by_side: pick(['end_user', 'end_user', 'operator']),
      external_user_id: pick(['anna', 'ben', 'cleo']),
      created_at: at(i),
      updated_at: at(random.below(500)), // many at the same time
      last_message_at: random.next() < 0.4 ? null : at(random.below(500)),
      sla_due_at: random.next() < 0.5 ? null : at(random.below(500)),
    }
  })
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const orders: Record<(typeof conversationSorts)[number], (row: Stored) => string> = {
  '-created_at': ({ id }) => id,
  created_at: ({ id }) => id,
  '-updated_at': ({ updated_at, id }) => updated_at + id,
  '-last_message_at': ({ last_message_at, id }) => (last_message_at ?? '') + id,
  sla_due_at: ({ sla_due_at, id }) => (sla_due_at ?? '9') + id,
}

type Query = Record<string, string>

const filters: Record<string, (value: string) => (row: Stored) => boolean> = {
  status: (value) => (row) => value.split(',').includes(row.status),
  waiting_on: (value) => (row) => row.waiting_on === value,
  assignee_id: (value) => (row) => row.assignee_id === (value === 'none' ? null : uuidOf('op', value)),
  department_id: (value) => (row) => row.department_id === uuidOf('dept', value),
  priority: (value) => (row) => row.priority === value,
  channel: (value) => (row) => row.channel === value,
  initiated_by_side: (value) => (row) => row.initiated_by_side === value,
  external_user_id: (value) => (row) => row.external_user_id === value,
  created_after: (value) => (row) => row.created_at > value,
  created_before: (value) => (row) => row.created_at < value,
  updated_after: (value) => (row) => row.updated_at > value,
}

function randomFilter(random: Random, operators: string[], departments: string[]): Query {
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)]!
  const values: Record<string, () => string> = {
    status: () => [...new Set(Array.from({ length: 1 + random.below(4) }, () => pick(statuses)))].join(),
    waiting_on: () => pick(['operator', 'end_user', 'third_party']),
    assignee_id: () => pick(['none', ...operators]),
    department_id: () => pick(departments),
    priority: () => pick(['normal', 'urgent', 'low']),
    channel: () => pick(['api', 'email', 'phone']),
    initiated_by_side: () => pick(['end_user', 'operator', 'system']),
    external_user_id: () => pick(['anna', 'ben', 'nobody']),
    created_after: () => at(random.below(500)),
    created_before: () => at(random.below(500)),
    updated_after: () => at(random.below(500)),
  }
  const names = Object.keys(values).filter(() => random.next() < 0.18)
  return Object.fromEntries(names.map((name) => [name, values[name]!()]))
}

async function walked(client: Client, query: Query): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })
    const { data, has_more, next_cursor } = succeeded(await client.get(`/v1/conversations?${page}`))
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (!has_more) return ids
    cursor = next_cursor
  }
}

/** Stores copies of a conversation with other values. */
const store = (tenantId: string, id: string, rows: object[]) =>
  api.db.write(sql`insert into conversations
    select (jsonb_populate_record(c, given)).* from conversations c, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) given
      where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)}`)

test('a walk sees what its filters leave, once and in its order, whatever filters and sort are combined', async (t) => {
  const random = new Random(seedOf(t))
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const people = await operators(client, 2)
  const manual = { assignment: { strategy: 'manual' } }
  const departments = [await department(client, [], manual), await department(client, [], manual)]
  const { id } = await conversation(client)
  // More than a walk reads, so that some pages need another way.
  const rows = randomRows(random, people, departments, 500)
  const endUsers = new Map<string, string | null>()
  for (const external_id of ['anna', 'ben', 'cleo'])
    endUsers.set(external_id, uuidOf('eu', succeeded(await client.post('/v1/end_users', { external_id })).id))
  const linked = rows.map((row) => ({ ...row, end_user_id: endUsers.get(row.external_user_id) }))
  await store(tenantId, id, linked)
  await api.db.write(
    sql`delete from conversations where tenant_id = ${tenantId} and id = ${uuidOf('conv', id)}`,
  )
  for (const i of cases(rounds(40, 15))) {
    const sort = conversationSorts[i % conversationSorts.length]!
    const filter = randomFilter(random, people, departments)
    const isWanted = Object.entries(filter).map(([name, value]) => filters[name]!(value))
    const expected = rows
      .filter((row) => isWanted.every((each) => each(row)))
      .sort((one, other) => byText(orders[sort](one), orders[sort](other)))
      .map((row) => typeId('conv', row.id))
    if (sort.startsWith('-')) expected.reverse()
    const query = { ...filter, sort, limit: ['3', '25', '100'][random.below(3)]! }
    assert.deepEqual(await walked(client, query), expected, JSON.stringify(query))
  }
})

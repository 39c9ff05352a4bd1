import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, conversation, department, operator, succeeded } from '@backline/test/desk.ts'
import { listed, type Oracle, randomTree, type Shown } from '@backline/test/filter-trees.ts'
import { service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { readFilter } from '../../../../platform/lists/filter.ts'
import type { FilterLimits } from '../../../../platform/lists/page.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { conversationFields } from './fields.ts'
import { conversationSortKey } from './orders.ts'
import { conversationList } from './request.ts'

const api = service()

const fields = [
  { key: 'note', type: 'text' },
  { key: 'size', type: 'number', indexed: true },
  { key: 'urgent', type: 'boolean' },
  { key: 'day', type: 'date', indexed: true },
  { key: 'at', type: 'datetime', indexed: true },
  { key: 'plan', type: 'select', indexed: true, options: [{ value: 'free' }, { value: 'pro' }] },
  { key: 'areas', type: 'multi_select', indexed: true, options: [{ value: 'a' }, { value: 'b' }] },
]
const days = ['2026-01-01', '2026-06-15', '2026-12-31']
const times = ['2026-01-01T00:00:00.000Z', '2026-06-15T12:30:00.500Z', '2026-12-31T23:59:59.999Z']
const notes = ['Refund', 'refund now', 'ÄRGER', 'ärger im Büro', '50% off', 'a_b', '']

/** A world with conversations that differ in what filters can name. */
async function desk(random: Random) {
  const { test: client, environments } = await api.world()
  const ada = await operator(client)
  const dept = await department(client, [], { assignment: { strategy: 'manual' } })
  for (const field of fields)
    succeeded(
      await client.post('/v1/custom_fields', { applies_to: 'conversation', name: field.key, ...field }),
    )
  const maybe = (chance: number, value: object) => (random.chance(chance) ? value : {})
  for (let i = 0; i < 60; i++) {
    const note = random.pick(notes)
    const custom_fields = {
      ...(note === '' ? {} : maybe(0.6, { note })),
      ...maybe(0.6, { size: random.pick([-2.5, 0, 3, 1e20]) }),
      ...maybe(0.5, { urgent: random.chance(0.5) }),
      ...maybe(0.5, { day: random.pick(days) }),
      ...maybe(0.5, { at: random.pick(times) }),
      ...maybe(0.6, { plan: random.pick(['free', 'pro']) }),
      ...maybe(0.6, { areas: random.pick([['a'], ['b'], ['a', 'b']]) }),
    }
    const { id } = await conversation(client, {
      external_user_id: random.pick(['anna', 'ben', 'Anna']),
      ...maybe(0.7, { subject: random.pick(notes.slice(0, 6)) }),
      priority: random.pick(['normal', 'high']),
      ...maybe(0.5, { department_id: dept }),
      ...maybe(0.4, { assignee_id: ada }),
      ...maybe(0.5, { tags: random.pick([['vip'], ['Billing'], ['vip', 'Billing']]) }),
      ...maybe(0.3, { language: random.pick(['de', 'pt-BR']) }),
      custom_fields,
    })
    if (random.chance(0.2)) await act(client, id, 'resolve')
  }
  const all: Shown[] = succeeded(await client.get('/v1/conversations?limit=100')).data
  return { client, all, ada, dept, tenantId: environments.test.tenantId }
}

const oraclesOf = ({ ada, dept }: { ada: string; dept: string }): Oracle[] => [
  { name: 'status', kind: 'enum', of: (row) => row.status, values: ['new', 'open', 'resolved'] },
  { name: 'priority', kind: 'enum', of: (row) => row.priority, values: ['normal', 'high', 'low'] },
  {
    name: 'initiated_by_side',
    kind: 'enum',
    of: (row) => row.initiated_by_side,
    values: ['end_user', 'operator', 'system'],
  },
  { name: 'assignee_id', kind: 'id', of: (row) => row.assignee_id, values: [ada] },
  { name: 'department_id', kind: 'id', of: (row) => row.department_id, values: [dept] },
  { name: 'tags', kind: 'list', of: (row) => row.tags, values: ['vip', 'VIP', 'billing', 'none'] },
  { name: 'subject', kind: 'text', of: (row) => row.subject, values: notes.slice(0, 6) },
  { name: 'language', kind: 'text', of: (row) => row.language, values: ['de', 'pt-BR', 'fr'] },
  {
    name: 'external_user_id',
    kind: 'text',
    of: (row) => row.external_user_id,
    values: ['anna', 'Anna', 'x'],
  },
  { name: 'message_count', kind: 'number', of: (row) => row.message_count, values: [0, 1] },
  { name: 'resolved_at', kind: 'time', of: (row) => row.resolved_at, values: times },
  { name: 'created_at', kind: 'time', of: (row) => row.created_at, values: times },
  ...fields.map(
    ({ key, type }): Oracle => ({
      name: `custom_fields.${key}`,
      kind: ({ text: 'text', number: 'number', boolean: 'boolean', select: 'enum', multi_select: 'list' }[
        type
      ] ?? 'time') as Oracle['kind'],
      of: (row) => {
        const value = row.custom_fields[key]
        return type === 'date' && value ? `${value}T00:00:00.000Z` : value
      },
      values: {
        note: notes.slice(0, 6),
        size: [-2.5, 0, 3, 1e20, 7],
        urgent: [true, false],
        day: [...days, ...times],
        at: [...times, ...days],
        plan: ['free', 'pro'],
        areas: ['a', 'b'],
      }[key]!,
    }),
  ),
]

const sorts: Record<string, (row: Shown) => string> = {
  '-created_at': ({ id }) => id,
  created_at: ({ id }) => id,
  '-updated_at': ({ updated_at, id }) => updated_at + id,
}

test('a list with any filter is what an evaluation of each conversation finds, in its order', async (t) => {
  const random = new Random(seedOf(t))
  const world = await desk(random)
  const oracles = oraclesOf(world)
  for (const _ of cases(rounds(150, 40))) {
    const tree = randomTree(random, oracles, 4)
    const sort = random.pick(Object.keys(sorts))
    const key = sorts[sort]!
    const expected = world.all
      .filter((row) => tree.meets(row))
      .sort((one, other) => (key(one) < key(other) ? -1 : 1))
      .map(({ id }) => id)
    if (sort.startsWith('-')) expected.reverse()
    const query = { filter: JSON.stringify(tree.json), sort, limit: random.pick(['7', '100']) }
    assert.deepEqual(await listed(world.client, '/v1/conversations', query), expected, JSON.stringify(query))
  }
})

const lowLimits: FilterLimits[] = [
  {
    firstRows: 3,
    mostRows: 4,
    pageMs: 0,
    statementMs: 1,
    mostCandidates: 10,
    candidatesMs: 500,
    firstCounted: 0,
  },
  {
    firstRows: 1,
    mostRows: 50,
    pageMs: 1_000,
    statementMs: 1,
    mostCandidates: 0,
    candidatesMs: 500,
    firstCounted: 9,
  },
  {
    firstRows: 2,
    mostRows: 2,
    pageMs: 5,
    statementMs: 1,
    mostCandidates: 1_000,
    candidatesMs: 500,
    firstCounted: 1_000,
  },
]

test('nothing is left out or repeated where pages end early', async (t) => {
  const random = new Random(seedOf(t))
  const { all, tenantId, ...world } = await desk(random)
  const oracles = oraclesOf(world)
  const fields = conversationFields(await definitionsOf(api.db, tenantId))
  const at = { tenantId, now: new Date().toISOString() }
  let early = 0
  for (const i of cases(rounds(45, 15))) {
    const tree = randomTree(random, oracles, 3)
    const read = readFilter(tree.json, { fields, me: null })
    assert.ok('filter' in read, JSON.stringify(read))
    const filters = lowLimits[i % lowLimits.length]!
    const sort = random.pick(['-created_at', 'created_at', '-updated_at', 'sla_due_at'] as const)
    const found: string[] = []
    for (let after: SortKey | null = null, more = true; more; ) {
      const page = { sort, limit: 6, after }
      const part = await conversationList(api.db, at, read.filter, undefined, { filters }).page(page)
      const rows = Array.isArray(part) ? part.slice(0, 5) : part.rows
      found.push(...rows.map(({ id }) => typeId('conv', id)))
      if (Array.isArray(part)) {
        more = part.length > 5
        after = more ? conversationSortKey(rows.at(-1)!, sort) : null
      } else {
        early++
        after = part.reached
      }
    }
    const expected = all.filter((row) => tree.meets(row)).map(({ id }) => id)
    assert.equal(new Set(found).size, found.length, 'repeated')
    assert.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(tree.json))
    const patient = { ...filters, pageMs: 600_000, candidatesMs: 600_000 } // a busy machine counts slowly
    const list = conversationList(api.db, at, read.filter, undefined, { filters: patient })
    const counted = await list.count(1_000)
    const count = typeof counted === 'number' ? { count: counted, more: false } : counted
    assert.deepEqual(count, { count: expected.length, more: false })
  }
  assert.ok(early > 3, 'pages end early')
})

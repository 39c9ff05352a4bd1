import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { slotOf } from '@backline/server/support/properties/custom-fields/queries.ts'
import pg from 'pg'
import { conversationColumns } from './conversations.ts'
import { defineIds } from './desk-data.ts'
import { generator } from './load.ts'
import { type BenchServer, startServer } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'

/*
 * Filters, custom fields and views: `npm run bench -- --filters`, with a million conversations that have ten custom
 * fields, six of them indexed. Most conversations are closed; two in a hundred are open.
 */

const perStatement = 20_000
const departments = 20
const operators = 100
const repetitions = 15
const connections = 64
const seconds = 8

// biome-ignore lint/suspicious/noExplicitAny: bodies of the API
type Body = any

const fields = [
  {
    key: 'plan',
    type: 'select',
    indexed: true,
    options: ['free', 'pro', 'max', 'trial'].map((value) => ({ value })),
  },
  {
    key: 'areas',
    type: 'multi_select',
    indexed: true,
    options: ['a', 'b', 'c', 'd'].map((value) => ({ value })),
  },
  { key: 'seats', type: 'number', indexed: true },
  { key: 'order', type: 'text', indexed: true },
  { key: 'renews', type: 'date', indexed: true },
  { key: 'seen', type: 'datetime', indexed: true },
  { key: 'note', type: 'text' },
  { key: 'score', type: 'number' },
  { key: 'beta', type: 'boolean' },
  { key: 'site', type: 'url' },
]

export async function measureFilters(count: number, data: string | undefined): Promise<void> {
  const server = await startServer(data)
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    await defineIds(client)
    const api = apiOf(server)
    console.log(`${describeMachine()}\n`)
    const kept = data && join(data, 'filters.json')
    const desk: Desk =
      kept && existsSync(kept) ? JSON.parse(await readFile(kept, 'utf8')) : await prepare(client, api, count)
    if (kept) await writeFile(kept, JSON.stringify(desk))
    await measurePages(api, desk)
    await measureDesk(server, desk)
    await measureCounts(api, desk)
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Makes the conversations, and then the indexes of their values. */
async function prepare(client: pg.Client, api: Api, count: number): Promise<Desk> {
  const desk = await makeDesk(api)
  await fill(client, desk, count)
  await client.query('vacuum analyze conversations')
  const builtInSeconds = await buildIndexes(api, desk)
  await client.query('vacuum analyze custom_field_values')
  const those = `indexes of six fields of ${formatNumber(count)} conversations`
  console.log(`${those}: ${builtInSeconds.toFixed(0)} s\n`)
  return desk
}

type Api = ReturnType<typeof apiOf>

function apiOf({ url, apiKey }: BenchServer) {
  const send = async (method: string, path: string, body?: object, headers = {}): Promise<Body> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
  return {
    get: (path: string, headers = {}) => send('GET', path, undefined, headers),
    post: (path: string, body: object) => send('POST', path, body),
    patch: (path: string, body: object) => send('PATCH', path, body),
  }
}

type Desk = {
  departmentIds: string[]
  operatorIds: string[]
  fields: { id: string; key: string; indexed: boolean }[]
  prototypeId: string
}

async function makeDesk(api: Api): Promise<Desk> {
  const made = async (path: string, body: object): Promise<string> => (await api.post(path, body)).id
  const departmentIds: string[] = []
  const operatorIds: string[] = []
  for (let i = 0; i < departments; i++)
    departmentIds.push(await made('/v1/departments', { name: `Department ${i}` }))
  for (let i = 0; i < operators; i++)
    operatorIds.push(await made('/v1/operators', { name: `Operator ${i}`, email: `o${i}@example.com` }))
  const defined: Desk['fields'] = []
  for (const { indexed = false, ...field } of fields)
    defined.push({
      id: await made('/v1/custom_fields', { applies_to: 'conversation', name: field.key, ...field }),
      key: field.key,
      indexed,
    })
  const prototypeId = await made('/v1/conversations', {
    external_user_id: 'user_0',
    subject: 'Card declined',
  })
  return { departmentIds, operatorIds, fields: defined, prototypeId }
}

/** Copies of one conversation, spread over a year, with random values. */
async function fill(client: pg.Client, desk: Desk, count: number): Promise<void> {
  const slot = Object.fromEntries(desk.fields.map(({ id, key }) => [key, slotOf(uuidOf('cf', id)!)]))
  const day = `to_char(made.at, 'YYYY-MM-DD')`
  const values = Object.entries({
    plan: `(array['free', 'pro', 'max', 'trial'])[1 + floor(a * 4)::integer]`,
    areas: `case when b < 0.5 then '["a"]'::jsonb else '["b", "c"]'::jsonb end`,
    seats: 'floor(a * 10000)::integer',
    order: `'ord-' || n`,
    renews: day,
    seen: `to_char(made.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    note: `'A note about order ' || n`,
    score: 'floor(b * 1000)::integer',
    beta: 'b < 0.5',
    site: `'https://example.com/' || n`,
  }).map(([key, value]) => `'${slot[key]}', ${value}`)
  const at = 'made.at'
  const made: Record<string, string> = {
    id: 'pg_temp.made_id(made.at, n::text)',
    status: 'made.status',
    waiting_on: `case when made.status in ('new', 'open') then 'operator' end`,
    subject: `'Order ' || (n::bigint * 7919 % 10000000) || ' declined'`,
    priority: `case when b < 0.05 then 'high' else 'normal' end`,
    department_id: `($3::uuid[])[1 + floor(a * ${departments})::integer]`,
    assignee_id: `case when made.status <> 'new' then ($4::uuid[])[1 + floor(b * ${operators})::integer] end`,
    created_at: at,
    updated_at: at,
    last_message_at: at,
    waiting_since: at,
    custom_values: `jsonb_build_object(${values.join(', ')})`,
  }
  const names = await conversationColumns(client)
  const text = `insert into conversations (${names.join(', ')})
    select ${names.map((name) => made[name] ?? `c.${name}`).join(', ')} from (
      select n, a, b, date_trunc('milliseconds', now() - (n * interval '${Math.floor(31_536_000_000 / count)} milliseconds')) as at,
        case when b < 0.98 then 'closed' when a < 0.3 then 'new' when a < 0.8 then 'open' else 'pending' end as status
      from (select n, random() as a, random() as b from generate_series($1::integer, $2::integer) n offset 0) numbers offset 0) made,
      conversations c where c.id = $5::uuid`
  const uuids = (prefix: string, ids: string[]) => ids.map((id) => uuidOf(prefix, id))
  const fixed = [
    uuids('dept', desk.departmentIds),
    uuids('op', desk.operatorIds),
    uuidOf('conv', desk.prototypeId),
  ]
  await client.query('set synchronous_commit = off')
  for (let end = count; end > 0; end -= perStatement) {
    await client.query(text, [Math.max(1, end - perStatement + 1), end, ...fixed])
    if (end % 100_000 === 0) console.error(`${end} conversations to make`)
  }
}

async function buildIndexes(api: Api, desk: Desk): Promise<number> {
  const begunMs = performance.now()
  const indexed = desk.fields.filter((field) => field.indexed)
  for (const { id } of indexed) await api.patch(`/v1/custom_fields/${id}`, { indexed: true })
  for (const { id } of indexed)
    while ((await api.get(`/v1/custom_fields/${id}`)).index_status !== 'ready') await sleep(250)
  return (performance.now() - begunMs) / 1000
}

const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })
const custom = (key: string, op: string, value: unknown) => leaf(`custom_fields.${key}`, op, value)

/** The worst that the limits allow: every condition is checked for every conversation, and none is met. */
const worst = {
  all: Array.from({ length: 10 }, (_, i) => ({
    any: [
      leaf('end_user.email', 'contains', `nobody-${i}`),
      leaf('external_user_id', 'contains', `nobody-${i}`),
      custom('note', 'contains', `nothing-${i}`),
    ],
  })),
}

async function measurePages(api: Api, desk: Desk): Promise<void> {
  const [dept] = desk.departmentIds
  const [op] = desk.operatorIds
  const filters: Record<string, object> = {
    'order is (one)': custom('order', 'is', 'ord-500000'),
    'order starts with (11), status closed': {
      all: [custom('order', 'starts_with', 'ord-50000'), leaf('status', 'is', 'closed')],
    },
    'seats between (200), plan is, beta is': {
      all: [custom('seats', 'gte', 5000), custom('seats', 'lte', 5001), custom('beta', 'is', true)],
    },
    'renews on a day, note contains': {
      all: [custom('renews', 'is', '2026-06-15'), custom('note', 'contains', '42')],
    },
    'open, department, plan is': {
      all: [leaf('status', 'is', 'open'), leaf('department_id', 'is', dept), custom('plan', 'is', 'pro')],
    },
    'mine and open, score over': {
      all: [leaf('status', 'in', ['new', 'open']), leaf('assignee_id', 'is', op), custom('score', 'gt', 990)],
    },
    'plan is not (most)': custom('plan', 'is_not', 'free'),
    'status closed, beta (half)': { all: [leaf('status', 'is', 'closed'), custom('beta', 'is', true)] },
    'subject contains (1 in 10)': leaf('subject', 'contains', '7 declined'),
    'note is (one, no index)': custom('note', 'is', 'A note about order 3'),
    'worst tree': worst,
  }
  const rows: string[][] = []
  for (const [name, filter] of Object.entries(filters)) {
    const path = `/v1/conversations?filter=${encodeURIComponent(JSON.stringify(filter))}`
    const times: number[] = []
    let page: Body
    for (let i = 0; i < repetitions; i++) {
      const begunMs = performance.now()
      page = await api.get(path)
      times.push(performance.now() - begunMs)
    }
    times.sort((one, other) => one - other)
    rows.push([
      name,
      times[Math.floor(repetitions / 2)]!.toFixed(1),
      times.at(-1)!.toFixed(1),
      String(page.data.length),
      String(page.has_more),
    ])
  }
  printTable(['first page of a filter', 'p50 ms', 'max ms', 'rows', 'has_more'], rows as never)
}

async function measureDesk(server: BenchServer, desk: Desk): Promise<void> {
  const [dept] = desk.departmentIds
  const [op] = desk.operatorIds
  const of = (filter: object, more = '') =>
    `/v1/conversations?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`
  const lists: Record<string, string> = {
    'open, by simple filters': '/v1/conversations?status=new,open',
    open: of(leaf('status', 'in', ['new', 'open'])),
    mine: of({ all: [leaf('assignee_id', 'is', op), leaf('status', 'in', ['open', 'pending'])] }),
    unassigned: of({ all: [leaf('assignee_id', 'exists', false), leaf('status', 'in', ['new', 'open'])] }),
    'by department': of({ all: [leaf('department_id', 'is', dept), leaf('status', 'is', 'open')] }),
    'waiting longest': of(
      { all: [leaf('waiting_on', 'is', 'operator'), leaf('status', 'in', ['new', 'open'])] },
      '&sort=created_at',
    ),
    'due next': of(leaf('status', 'in', ['new', 'open']), '&sort=sla_due_at'),
  }
  const rows: string[][] = []
  for (const [name, path] of Object.entries(lists)) {
    const { perSecond, p50Ms, p99Ms } = await generator.run(
      server,
      { method: 'GET', paths: [path] },
      connections,
      seconds,
    )
    rows.push([name, formatNumber(Math.round(perSecond)), p50Ms.toFixed(1), p99Ms.toFixed(1)])
  }
  printTable([`lists of a desk, ${connections} connections`, 'per second', 'p50 ms', 'p99 ms'], rows as never)
}

async function measureCounts(api: Api, desk: Desk): Promise<void> {
  const ids: string[] = []
  for (let i = 0; i < 50; i++) {
    const filter = {
      all: [
        leaf('status', 'in', ['new', 'open']),
        ...(i % 3 === 0 ? [leaf('department_id', 'is', desk.departmentIds[i % departments])] : []),
        ...(i % 3 === 1 ? [leaf('assignee_id', 'is', desk.operatorIds[i])] : []),
        ...(i % 2 === 0 ? [custom('plan', 'is', 'pro')] : []),
      ],
    }
    ids.push((await api.post('/v1/views', { name: `View ${i} ${crypto.randomUUID()}`, filter })).id)
  }
  const times: number[] = []
  for (let i = 0; i < repetitions; i++) {
    const begunMs = performance.now()
    await api.get(`/v1/views/counts?ids=${ids.join()}`)
    times.push(performance.now() - begunMs)
  }
  times.sort((one, other) => one - other)
  printTable(['counts', 'p50 ms', 'max ms'], [
    ['50 views', times[Math.floor(repetitions / 2)]!.toFixed(1), times.at(-1)!.toFixed(1)],
  ] as never)
}

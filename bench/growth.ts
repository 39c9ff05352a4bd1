import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cursorCodec } from '@backline/server/platform/http/request/pagination.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import { auditSealing } from '@backline/server/support/integration/audit-log/sealing.ts'
import pg from 'pg'
import { defineIds, deskOf } from './desk-data.ts'
import { copyTo, withEvents, writtenCount } from './growth-copies.ts'
import {
  beganAt,
  busyUser,
  type Desk,
  fillWith,
  namesOf,
  opposites,
  orderNumber,
  rare,
  words,
} from './growth-data.ts'
import { generator, type Load, type Loads, type Measured } from './load.ts'
import { type BenchServer, startServer } from './server.ts'
import { describeMachine, formatNumber } from './table.ts'

/*
 * npm run bench -- --growth: one database that grows, and each kind of request at each of its sizes. Results are
 * stored with the data, so that a run can continue an earlier one.
 */

type GrowthOptions = {
  /** Numbers of conversations, ascending. */
  sizes: number[]
  seconds: number
  /** The number of connections, in addition to one. */
  connections: number
  /** Measures only requests whose name contains this. */
  only: string | undefined
  /** A directory for data that is kept; otherwise the run deletes it. */
  data: string | undefined
}

type AtSize = {
  alone: Measured
  together: Measured | null
  /** Blocks of 8 kB that PostgreSQL looked at for a request; does not depend on the load of the machine. */
  blocks?: number
}
type Space = { rows: number; parts: Record<string, number> }
type State = {
  anchorMs: number
  filled: number
  fillSeconds: Record<number, number>
  measured: Record<number, Record<string, AtSize>>
  space: Record<number, Record<string, Space>>
}

const deskSize = { departments: 50, operators: 500, tags: 2_000 }
const tables = ['conversations', 'messages', 'events', 'idempotency_keys']
/** Slower requests are measured one at a time only: together they would only wait. */
const slowMs = 150

export async function measureGrowth(options: GrowthOptions): Promise<void> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'backline-growth-')))
  await countBlocks(data)
  const server = await startServer(data)
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    await client.query('create extension if not exists pg_stat_statements')
    await defineIds(client)
    const file = options.data && join(options.data, 'growth.json')
    const state: State =
      file && existsSync(file)
        ? JSON.parse(await readFile(file, 'utf8'))
        : { anchorMs: Date.now(), filled: 0, fillSeconds: {}, measured: {}, space: {} }
    const desk = await deskOf(client, server.url, 'live', server.apiKey, deskSize)
    for (const size of options.sizes) {
      if (size > state.filled) await grow(client, server, desk, state, size)
      if (file) await writeFile(file, JSON.stringify(state))
      if (size < state.filled) continue
      const measured = await measureAt(client, server, desk, state, options)
      state.measured[size] = { ...state.measured[size], ...measured }
      if (file) await writeFile(file, JSON.stringify(state))
    }
    print(state, options)
  } finally {
    await client.end()
    await server.stop()
    if (!options.data) await rm(data, { recursive: true, force: true })
  }
}

/** Loads the extension that counts, from the next start of the database. */
async function countBlocks(data: string): Promise<void> {
  const server = await startServer(data)
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await client.end()
  await server.stop()
}

/** The median of several rounds, since the server's own work is counted as well. */
async function blocksOf(
  client: pg.Client,
  server: BenchServer,
  { paths }: Load,
  isSlow: boolean,
): Promise<number> {
  const rounds: number[] = []
  const perRound = isSlow ? 1 : 5
  for (let round = 0; round < (isSlow ? 3 : 5); round++) {
    await client.query('select pg_stat_statements_reset()')
    for (let i = 0; i < perRound; i++) await get(server, paths[(round * perRound + i) % paths.length]!)
    const { rows } = await client.query(
      'select sum(shared_blks_hit + shared_blks_read)::float8 as blocks from pg_stat_statements',
    )
    rounds.push(rows[0].blocks / perRound)
  }
  return rounds.toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!
}

async function get({ url, apiKey }: BenchServer, path: string): Promise<Response> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } })
  await response.text()
  return response
}

async function grow(client: pg.Client, server: BenchServer, desk: Desk, state: State, size: number) {
  const begun = performance.now()
  const before = await spaceOf(client)
  const written = Math.min(size, writtenCount)
  if (written > state.filled) await fillWith(server.connection, desk, state.anchorMs, state.filled, written)
  if (size > written)
    await copyTo(server.connection, desk, state.anchorMs, Math.max(state.filled, written), size)
  await untilSealed(client)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const after = await spaceOf(client)
  state.space[size] = Object.fromEntries(
    tables.map((table) => [table, difference(after[table]!, before[table]!)]),
  )
  state.filled = size
  state.fillSeconds[size] = (performance.now() - begun) / 1000
  console.error(`filled to ${size} in ${state.fillSeconds[size]!.toFixed(0)} s`)
}

/** Waits until no background work of the fill remains. */
async function untilSealed(client: pg.Client): Promise<void> {
  const behind = () =>
    client.query(
      `select 1 from environments e cross join lateral (select epoch, position, ordinal from events
         where tenant_id = e.id order by epoch desc, position desc, ordinal desc limit 1) last
       left join journal_positions p on p.tenant_id = e.id and p.follower = $1
       where p is null or (last.epoch, last.position, last.ordinal) > (p.epoch, p.position, p.ordinal)`,
      [auditSealing.name],
    )
  while ((await behind()).rowCount) await sleep(500)
}

const difference = (after: Space, before: Space): Space => ({
  rows: after.rows - before.rows,
  parts: Object.fromEntries(
    Object.entries(after.parts).map(([name, bytes]) => [name, bytes - (before.parts[name] ?? 0)]),
  ),
})

/** The size of each table, its TOAST table, and each of its indexes in bytes. */
async function spaceOf(client: pg.Client): Promise<Record<string, Space>> {
  const { rows } = await client.query(
    `select t.relname as table, 'table' as part, pg_relation_size(t.oid) as bytes from pg_class t where t.relname = any($1)
     union all select t.relname, 'stored apart', pg_table_size(t.oid) - pg_relation_size(t.oid) from pg_class t where t.relname = any($1)
     union all select t.relname, i.indexrelid::regclass::text, pg_relation_size(i.indexrelid)
       from pg_class t join pg_index i on i.indrelid = t.oid where t.relname = any($1)`,
    [tables],
  )
  const spaces: Record<string, Space> = {}
  for (const table of tables) {
    const { rows: counted } = await client.query(`select count(*)::integer as count from ${table}`)
    spaces[table] = { rows: counted[0].count, parts: {} }
  }
  for (const { table, part, bytes } of rows) spaces[table]!.parts[part] = Number(bytes)
  return spaces
}

async function measureAt(
  client: pg.Client,
  server: BenchServer,
  desk: Desk,
  { anchorMs, filled }: State,
  { seconds, connections, only }: GrowthOptions,
): Promise<Record<string, AtSize>> {
  const measured: Record<string, AtSize> = {}
  await removeCreated(client, desk, anchorMs)
  const loads = await loadsOf(client, server, desk, anchorMs, filled)
  for (const [name, load] of Object.entries(loads)) {
    if (only && !name.includes(only)) continue
    const slow = await slowly(server, load())
    const alone = slow ?? (await generator.run(server, load(), 1, seconds))
    const together = slow ? null : await generator.run(server, load(), connections, seconds)
    const blocks =
      load().method === 'GET' ? { blocks: await blocksOf(client, server, load(), slow !== null) } : {}
    measured[name] = { alone, together, ...blocks }
    console.error(
      `${name}: ${blocks.blocks ?? '-'} blocks, ${alone.p50Ms.toFixed(2)} ms, ${together?.perSecond.toFixed(0) ?? '-'}/s`,
    )
  }
  const others: Record<string, () => Promise<Measured>> = {
    ...(await changesOf(client, server, desk)),
    ...workOf(client, desk),
  }
  for (const [name, measure] of Object.entries(others)) {
    if (only && !name.includes(only)) continue
    const alone = await measure()
    measured[name] = { alone, together: null }
    console.error(`${name}: ${alone.p50Ms.toFixed(2)} ms`)
  }
  return measured
}

/**
 * Deletes conversations created by measurements: they are all alike, and newer than the ones that lists and searches
 * use.
 */
async function removeCreated(client: pg.Client, { tenantId }: Desk, anchorMs: number): Promise<void> {
  const { rowCount } = await client.query(
    "delete from conversations where tenant_id = $1 and id > pg_temp.made_id($2, '') and message_count = 0",
    [tenantId, toInstant(anchorMs)],
  )
  if (rowCount) await client.query('vacuum analyze conversations')
}

/** The median of three sequential requests, if the first is slow; the load generator would time out. */
async function slowly(server: BenchServer, { method, paths }: Load): Promise<Measured | null> {
  if (method !== 'GET') return null
  const times: number[] = []
  let failed = 0
  for (let i = 0; i < 3; i++) {
    const begun = performance.now()
    const response = await get(server, paths[i % paths.length]!)
    times.push(performance.now() - begun)
    if (!response.ok) failed++
    if (times[0]! < slowMs) return null
  }
  const [, p50Ms, p99Ms] = times.toSorted((a, b) => a - b) as [number, number, number]
  return { perSecond: 1000 / p50Ms, p50Ms, p99Ms, failed }
}

/** Fifty different values, so that no load repeats one request. */
const many = 50
const spread = <Each>(make: (share: number) => Each): Each[] =>
  Array.from({ length: many }, (_, i) => make((i + 0.5) / many))

async function loadsOf(
  client: pg.Client,
  server: BenchServer,
  desk: Desk,
  anchorMs: number,
  size: number,
): Promise<Loads> {
  const { tenantId } = desk
  const sample = async (oldest: number) => {
    const { rows } = await client.query(
      `select c.id, c.updated_at, c.last_message_at from unnest($2::timestamptz[]) as sought (at) cross join lateral (
         select * from conversations where tenant_id = $1 and id < pg_temp.made_id(sought.at, '') order by id desc limit 1) c`,
      [tenantId, spread((share) => toInstant(beganAt(anchorMs, Math.floor(oldest * share) - 1)))],
    )
    return rows
  }
  const [sampled, withTimeline] = [await sample(size), await sample(Math.min(size, withEvents))]
  const ids = sampled.map(({ id }) => typeId('conv', id))
  const cursor = await cursorsOf(client, tenantId)
  const list = (query: string) => `/v1/conversations?${query}`
  const get =
    (...paths: string[]) =>
    () => ({ method: 'GET' as const, paths })
  const search = (...queries: string[]) => get(...queries.map((q) => list(`q=${encodeURIComponent(q)}`)))
  const departments = [...new Set(desk.places.map(({ departmentId }) => typeId('dept', departmentId)))]
  const operators = desk.places.map(({ operatorId }) => typeId('op', operatorId))
  const middle = sampled[Math.floor(sampled.length / 2)]
  const deepPage = await client.query(
    'select id from conversations where tenant_id = $1 order by id desc offset 9975 limit 1',
    [tenantId],
  )
  const { rows: places } = await client.query(
    'select epoch, position::text, ordinal from events where tenant_id = $1 and stream_id = $2 limit 1',
    [tenantId, withTimeline[many / 2]!.id],
  )
  const { epoch, position, ordinal } = places[0]
  const post = { method: 'POST' as const, idempotencyKey: '{unique}' }
  const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })
  const open = leaf('status', 'in', ['new', 'open'])
  const mine = operators.slice(0, many).map((id) => ({ all: [open, leaf('assignee_id', 'is', id)] }))
  const views = await viewsOf(server, [
    open,
    { all: [open, leaf('assignee_id', 'exists', false)] },
    ...mine.slice(0, 8),
  ])
  const filtered = (...filters: object[]) =>
    get(...filters.map((filter) => list(`filter=${encodeURIComponent(JSON.stringify(filter))}`)))
  const names = spread((share) => namesOf(Math.floor((size * share) / 3)))
  return {
    'filter: open, of an operator': filtered(...mine),
    'filter: subject contains (frequent)': filtered(leaf('subject', 'contains', words[0])),
    'filter: closed, of an end user (3)': filtered(
      ...spread((share) => ({
        all: [
          leaf('status', 'is', 'closed'),
          leaf('external_user_id', 'is', `user_${Math.floor((size * share) / 3)}`),
        ],
      })),
    ),
    'view: open': get(`/v1/views/${views[0]}/items`),
    'view: open, unassigned': get(`/v1/views/${views[1]}/items`),
    'view: open, of an operator': get(...views.slice(2).map((id) => `/v1/views/${id}/items`)),
    'counts of 10 views': get(`/v1/views/counts?ids=${views.join()}`),
    'operator statuses, 100 a page': get('/v1/operator_statuses?limit=100'),
    'end users, first page': get('/v1/end_users'),
    'end users, by name': get('/v1/end_users?sort=name'),
    'end users, last seen': get('/v1/end_users?sort=-last_seen_at'),
    'end users: q, name': get(...names.map(({ name }) => `/v1/end_users?q=${encodeURIComponent(name)}`)),
    'end users: q, address': get(
      ...names.map(({ address }) => `/v1/end_users?q=${encodeURIComponent(address)}`),
    ),
    'get by id': get(...ids.map((id) => `/v1/conversations/${id}`)),
    'messages of a conversation': get(...ids.map((id) => `/v1/conversations/${id}/messages`)),
    'timeline of a conversation': get(
      ...withTimeline.map(({ id }) => `/v1/conversations/${typeId('conv', id)}/timeline`),
    ),
    'events, first page': get('/v1/events'),
    'events, page in the middle': get(
      `/v1/events?cursor=${cursor('/v1/events', 'commit', {}, [epoch, position, ordinal])}`,
    ),
    'events of one type, from the middle': get(
      `/v1/events?types=message.created&cursor=${cursor('/v1/events', 'commit', { types: 'message.created' }, [epoch, position, ordinal])}`,
    ),
    'list, first page': get('/v1/conversations'),
    'list, page 400': get(
      list(`cursor=${cursor('/v1/conversations', '-created_at', {}, [deepPage.rows[0].id])}`),
    ),
    'list, page in the middle': get(
      list(`cursor=${cursor('/v1/conversations', '-created_at', {}, [middle.id])}`),
    ),
    'list, total': get(list('include=total')),
    'status=closed (most)': get(list('status=closed')),
    'status=on_hold (20)': get(list(`status=${rare.status}`)),
    'status=open & department': get(...departments.map((id) => list(`status=open&department_id=${id}`))),
    'status=new,open & assignee none': get(list('status=new,open&assignee_id=none')),
    'assignee none': get(list('assignee_id=none')),
    assignee: get(...operators.map((id) => list(`assignee_id=${id}`))),
    department: get(...departments.map((id) => list(`department_id=${id}`))),
    'department & priority=urgent (none or one)': get(
      ...departments.map((id) => list(`department_id=${id}&priority=${rare.priority}`)),
    ),
    'priority=high (a tenth)': get(list('priority=high')),
    'priority=urgent (20)': get(list(`priority=${rare.priority}`)),
    'channel=phone (20)': get(list(`channel=${rare.channel}`)),
    'waiting_on=third_party (20)': get(list('waiting_on=third_party')),
    'status=open & priority=urgent (none or few)': get(list(`status=open&priority=${rare.priority}`)),
    'external_user_id (3)': get(
      ...spread((share) => list(`external_user_id=user_${Math.floor((size * share) / 3)}`)),
    ),
    'external_user_id (a hundredth)': get(list(`external_user_id=${busyUser}`)),
    'external_user_id (a hundredth) & status=open': get(list(`external_user_id=${busyUser}&status=open`)),
    'tag (frequent)': get(list(`tag=${encodeURIComponent(desk.tags[0]!.name)}`)),
    'tag (rare)': get(...desk.tags.slice(-many).map(({ name }) => list(`tag=${encodeURIComponent(name)}`))),
    'tag (frequent) & status=open': get(list(`tag=${encodeURIComponent(desk.tags[0]!.name)}&status=open`)),
    'created_before the middle': get(list(`created_before=${middle.updated_at.toISOString()}`)),
    'created_before the middle & status=open': get(
      list(`created_before=${middle.updated_at.toISOString()}&status=open`),
    ),
    'updated_after (last hour)': get(list(`updated_after=${toInstant(anchorMs - 3_600_000)}`)),
    'updated_after (never)': get(list(`updated_after=2100-01-01T00:00:00Z`)),
    'sort=-updated_at': get(list('sort=-updated_at')),
    'sort=-updated_at & department': get(
      ...departments.map((id) => list(`sort=-updated_at&department_id=${id}`)),
    ),
    'sort=-last_message_at': get(list('sort=-last_message_at')),
    'sort=-last_message_at & status=open': get(list('sort=-last_message_at&status=open')),
    'sort=-last_message_at & status=on_hold (20)': get(list(`sort=-last_message_at&status=${rare.status}`)),
    'sort=sla_due_at': get(list('sort=sla_due_at')),
    'sort=sla_due_at & status=open': get(list('sort=sla_due_at&status=open')),
    'sort=sla_due_at & status=on_hold (20)': get(list(`sort=sla_due_at&status=${rare.status}`)),
    'sort=created_at & status=new': get(list('sort=created_at&status=new')),
    'search: frequent word': search(words[0]!),
    'search: frequent word, page in the middle': get(
      list(
        `q=${words[0]}&cursor=${cursor('/v1/conversations', '-created_at', { q: words[0] }, [middle.id])}`,
      ),
    ),
    'search: frequent word & status=open': get(list(`q=${words[0]}&status=open`)),
    'search: frequent word & status=on_hold (20)': get(list(`q=${words[0]}&status=${rare.status}`)),
    'search: frequent word, sort=-last_message_at': get(list(`q=${words[0]}&sort=-last_message_at`)),
    'search: two frequent words': search(`${words[0]} ${words[1]}`),
    'search: words of the vocabulary': search(...spread((share) => words[Math.floor(20 + share * 4_900)]!)),
    'search: two words of the vocabulary': search(
      ...spread((share) => `${words[Math.floor(20 + share * 200)]} ${words[Math.floor(300 - share * 200)]}`),
    ),
    'search: rare word (20)': search(rare.word),
    'search: order number (1)': search(...spread((share) => String(orderNumber(Math.floor(size * share))))),
    'search: name': search(...spread((share) => namesOf(Math.floor((size * share) / 3)).name)),
    'search: address (3)': search(...spread((share) => namesOf(Math.floor((size * share) / 3)).address)),
    'search: nowhere': search('nosuchwordatall'),
    'search: beginnings of two letters': search(
      ...spread((share) => words[Math.floor(share * 1000)]!.slice(0, 2)),
    ),
    'search: two frequent words, never together': search(opposites.join(' ')),
    'search: frequent word, total': get(list(`q=${words[0]}&include=total`)),
    'create conversation': () => ({
      ...post,
      paths: ['/v1/conversations'],
      bodies: spread((share) =>
        JSON.stringify({
          external_user_id: 'user_{unique}',
          subject: `${words[Math.floor(words.length ** share) - 1]} ${words[Math.floor(words.length ** (1 - share)) - 1]} {unique}`,
          metadata: { plan: 'pro' },
        }),
      ),
    }),
    'create message': () => ({
      ...post,
      paths: ids.map((id) => `/v1/conversations/${id}/messages`),
      bodies: [
        JSON.stringify({
          author_side: 'operator',
          visibility: 'internal',
          body: 'My card was declined twice.',
        }),
      ],
    }),
  }
}

/** Views by their filters, created once. @returns their ids */
async function viewsOf(server: BenchServer, filters: object[]): Promise<string[]> {
  const make = async (filter: object, i: number) =>
    (await send(server, '/v1/views', `view-${i}`, { name: `View ${i}`, filter })).id as string
  return Promise.all(filters.map(make))
}

async function send(
  { url, apiKey }: BenchServer,
  path: string,
  key: string,
  body: object,
  operatorId?: string,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
): Promise<any> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': key,
      'content-type': 'application/json',
      ...(operatorId === undefined ? {} : { 'backline-operator': operatorId }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const medianOf = (times: number[]): Measured => {
  const sorted = times.toSorted((a, b) => a - b)
  const p50Ms = sorted[Math.floor(sorted.length / 2)]!
  return { perSecond: 1000 / p50Ms, p50Ms, p99Ms: sorted.at(-1)!, failed: 0 }
}

/** Changes that can be made once to a conversation, each of `many` conversations in turn. */
async function changesOf(client: pg.Client, server: BenchServer, { tenantId, places, holdReasonId }: Desk) {
  const operator = typeId('op', places[0]!.operatorId)
  const { rows } = await client.query(
    `select id from conversations where tenant_id = $1 and status = 'open' and assignee_id is null
       and waiting_on = 'operator' order by id limit $2`,
    [tenantId, many],
  )
  const ids: string[] = rows.map(({ id }) => typeId('conv', id))
  const each = (paths: string[], body: object) => async () => {
    const times: number[] = []
    for (const path of paths) {
      const begun = performance.now()
      await send(server, path, randomUUID(), body, operator)
      times.push(performance.now() - begun)
    }
    return medianOf(times)
  }
  const action = (name: string) => ids.map((id) => `/v1/conversations/${id}/${name}`)
  return {
    claim: each(action('claim'), {}),
    hold: each(action('hold'), { hold_reason_id: typeId('hold', holdReasonId) }),
    resume: each(action('resume'), {}),
    resolve: each(action('resolve'), {}),
    claim_next: each(
      spread(() => '/v1/conversations/claim_next'),
      {},
    ),
    'claim_next, of a department': each(
      spread(() => '/v1/conversations/claim_next'),
      {
        department_id: typeId('dept', places[0]!.departmentId),
      },
    ),
  }
}

/** Work of the server itself. */
function workOf(client: pg.Client, { tenantId }: Desk): Record<string, () => Promise<Measured>> {
  return {
    [`${sweptAlarms} SLA alarms due at one moment, to the last`]: async () => {
      await client.query(
        `insert into due_work (tenant_id, duty, subject_id, due_at)
         select tenant_id, 'sla_alarm', id, now() from conversations where tenant_id = $1 and status = 'open' limit $2`,
        [tenantId, sweptAlarms],
      )
      return until(async () => {
        const { rowCount } = await client.query(
          `select 1 from due_work where tenant_id = $1 and duty = 'sla_alarm' and due_at <= now() limit 1`,
          [tenantId],
        )
        return rowCount === 0
      })
    },
    'vacuum of conversations after the changes': () => took(() => client.query('vacuum conversations')),
    'vacuum of messages after the changes': () => took(() => client.query('vacuum messages')),
  }
}

const sweptAlarms = 2_000

async function took(work: () => Promise<unknown>): Promise<Measured> {
  const begun = performance.now()
  await work()
  return medianOf([performance.now() - begun])
}

const until = (isDone: () => Promise<boolean>): Promise<Measured> =>
  took(async () => {
    while (!(await isDone())) await sleep(10)
  })

async function cursorsOf(client: pg.Client, tenantId: string) {
  const { rows } = await client.query("select value from installation_secrets where name = 'cursor'")
  const codec = cursorCodec(rows[0].value)
  return (path: string, sort: string, filters: Record<string, unknown>, key: (string | number)[]) =>
    codec.write({ tenantId, path, filters, sort }, key)
}

function print({ measured, space, fillSeconds }: State, { seconds, connections }: GrowthOptions): void {
  const sizes = Object.keys(measured)
    .map(Number)
    .sort((a, b) => a - b)
  const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  const names = [...new Set(sizes.flatMap((size) => Object.keys(measured[size]!)))]
  console.log(`${describeMachine()}, ${seconds} s each\n`)
  console.log(
    `| blocks · p50 ms at 1 connection, and at ${connections}: requests/s, p50, p99 | ${sizes.map((size) => formatNumber(size)).join(' | ')} |`,
  )
  console.log(`|---|${sizes.map(() => '---:|').join('')}`)
  for (const name of names) {
    const cells = sizes.map((size) => {
      const at = measured[size]![name]
      if (!at) return ''
      const { alone, together, blocks } = at
      const failed = alone.failed + (together?.failed ?? 0)
      const beside = together
        ? ` · ${formatNumber(Math.round(together.perSecond))}/s, ${ms(together.p50Ms)}, ${ms(together.p99Ms)}`
        : ''
      const touched = blocks === undefined ? '' : `${formatNumber(blocks)} · `
      return `${touched}${ms(alone.p50Ms)}${beside}${failed > 0 ? ` (${failed} failed)` : ''}`
    })
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  const filled = Object.keys(space)
    .map(Number)
    .sort((a, b) => a - b)
  console.log(
    `\n| bytes a row, of what was filled in up to | ${filled.map((size) => formatNumber(size)).join(' | ')} |`,
  )
  console.log(`|---|${filled.map(() => '---:|').join('')}`)
  for (const table of tables) {
    const of = (size: number) => space[size]![table]!
    const perRow = (bytes: number, size: number) =>
      of(size).rows > 0 ? Math.round(bytes / of(size).rows) : ''
    const total = (size: number) => Object.values(of(size).parts).reduce((sum, bytes) => sum + bytes, 0)
    console.log(
      `| **${table}**: all of a row | ${filled.map((size) => `${perRow(total(size), size)} × ${formatNumber(Math.max(0, of(size).rows))}`).join(' | ')} |`,
    )
    for (const part of Object.keys(of(filled.at(-1)!).parts))
      console.log(
        `| ${part} | ${filled.map((size) => perRow(of(size).parts[part] ?? 0, size)).join(' | ')} |`,
      )
  }
  console.log(`| filled in, s | ${filled.map((size) => fillSeconds[size]!.toFixed(0)).join(' | ')} |`)
}

import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import pg from 'pg'
import { measureExpiries, prepareDesk } from './desk.ts'
import { defineIds } from './desk-data.ts'
import { measureGrowth } from './growth.ts'
import { measureStream, measureWebhooks, prepareFeed } from './journal.ts'
import { prepareKnowledge } from './knowledge.ts'
import { measureLimit } from './limit.ts'
import { generator, type Loads, type Measured } from './load.ts'
import { startServer } from './server.ts'
import { measureBreaches, measureClocks, prepareSla } from './sla.ts'

/*
 * npm run bench: a separate server on a new embedded database, load from this machine, and in the same run the limit
 * of the database. Compare ratios; absolute figures depend on the machine.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    warmup: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16,64,256' },
    conversations: { type: 'string', default: '200000' },
    only: { type: 'string' },
    growth: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '10000,1000000,5000000' },
    data: { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const warmupSeconds = Number(flags.warmup)
const connectionCounts = flags.connections.split(',').map(Number)
const conversationCount = Number(flags.conversations)

type Row = Measured & { name: string; connections: number; ratio: number | null; residentMb: number }

const newConversation = JSON.stringify({
  external_user_id: 'user_{unique}',
  subject: 'Card declined',
  metadata: { plan: 'pro' },
})

const isAsked = (name: string) => !flags.only || name.includes(flags.only)
const isAskedOf = (group: string) => !flags.only || flags.only.startsWith(group)

if (flags.growth) {
  const sizes = flags.sizes.split(',').map(Number)
  const [connections] = connectionCounts
  await measureGrowth({ sizes, seconds, connections: connections!, only: flags.only, data: flags.data })
  process.exit()
}

const server = await startServer()
const client = new pg.Client(server.connection)
await client.connect()
await defineIds(client)
try {
  const rows = await measureAll()
  print(rows)
} finally {
  await client.end()
  await server.stop()
}

async function measureAll(): Promise<Row[]> {
  const tenantId = await liveTenant()
  const loads = await prepare()
  const rows = await measureLoads(loads)
  if (isAskedOf('journal')) rows.push(...(await measureJournal(tenantId)))
  if (isAskedOf('sla')) rows.push(...(await measureSla()))
  if (isAskedOf('knowledge')) rows.push(...(await measureLoads(await prepareKnowledge(client, server))))
  if (!isAskedOf('desk')) return rows
  rows.push(...(await measureLoads(await prepareDesk(client, server, tenantId))))
  const name = 'desk: hold expiries, by the loop'
  if (!isAsked(name)) return rows
  const measured = await measureExpiries(client, await conversationColumns())
  return [...rows, { ...measured, name, connections: 0, ratio: null, residentMb: await residentMb() }]
}

async function measureJournal(tenantId: string): Promise<Row[]> {
  const wants = (part: string) => !flags.only || flags.only.startsWith(part) || part.startsWith(flags.only)
  const readings = [
    ...(wants('journal: stream') ? await measureStream(server, seconds) : []),
    ...(wants('journal: webhooks') ? await measureWebhooks(client, server, tenantId, seconds) : []),
  ]
  const about = { connections: 0, ratio: null, residentMb: await residentMb() }
  const rows = readings.map(({ name, measured }) => ({ ...measured, name, ...about }))
  return wants('journal: feed')
    ? [...rows, ...(await measureLoads(await prepareFeed(client, tenantId)))]
    : rows
}

async function measureSla(): Promise<Row[]> {
  const alone = async (name: string, measured: Measured | Promise<Measured>): Promise<Row> => ({
    ...(await measured),
    name,
    connections: 0,
    ratio: null,
    residentMb: await residentMb(),
  })
  return [
    await alone('sla: clocks of a week with 20 events, worked out', measureClocks(seconds)),
    ...(await measureLoads(await prepareSla(server))),
    await alone(
      'sla: 10,000 breaches at one moment, by the loop',
      measureBreaches(client, server, await conversationColumns()),
    ),
  ]
}

async function residentMb(): Promise<number> {
  return (await server.residentBytes()) / 1024 ** 2
}

/** The limit and each kind of request, for each number of connections. */
async function measureLoads(loads: Loads): Promise<Row[]> {
  const rows: Row[] = []
  const chosen = Object.entries(loads).filter(([name]) => isAsked(name))
  if (chosen.length === 0) return rows
  for (const connections of connectionCounts) {
    await measureLimit(server.connection, connections, warmupSeconds)
    const limit = await measureLimit(server.connection, connections, seconds)
    rows.push({ ...limit, name: 'limit: the same statement, no HTTP', connections, ratio: 1, residentMb: 0 })
    for (const [name, load] of chosen) {
      const { method } = load()
      await generator.run(server, load(), connections, warmupSeconds)
      const measured = await generator.run(server, load(), connections, seconds)
      const ratio = method === 'POST' ? measured.perSecond / limit.perSecond : null
      rows.push({ ...measured, name, connections, ratio, residentMb: await residentMb() })
      console.error(`${name} at ${connections}: ${measured.perSecond.toFixed(0)}/s`)
    }
  }
  return rows
}

/** Fills the database, then finds the values that the loads need: ids, a deep page, a stored key. */
async function prepare(): Promise<Loads> {
  const ids = await fill()
  const replayKey = 'a-key-to-replay'
  const replayed = newConversation.replace('{unique}', 'once')
  await send('POST', '/v1/conversations', replayed, replayKey)
  const deep = await pageAt(400)
  const some = ids.slice(0, 500)
  return {
    'create conversation': () => ({
      method: 'POST',
      paths: ['/v1/conversations'],
      bodies: [newConversation],
      idempotencyKey: '{unique}',
    }),
    'create message': () => ({
      method: 'POST',
      paths: some.map((id) => `/v1/conversations/${id}/messages`),
      bodies: [JSON.stringify({ author_side: 'end_user', body: 'My card was declined twice.' })],
      idempotencyKey: '{unique}',
    }),
    'get by id': () => ({ method: 'GET', paths: some.map((id) => `/v1/conversations/${id}`) }),
    'list page 1': () => ({ method: 'GET', paths: ['/v1/conversations'] }),
    'list page 400': () => ({ method: 'GET', paths: [deep] }),
    'replay of a stored key': () => ({
      method: 'POST',
      paths: ['/v1/conversations'],
      bodies: [replayed],
      idempotencyKey: replayKey,
    }),
  }
}

async function liveTenant(): Promise<string> {
  const { rows } = await client.query("select id from environments where kind = 'live'")
  return rows[0].id
}

/** Copies of one conversation created through the API, with ids of the last days. */
async function fill(): Promise<string[]> {
  await send('POST', '/v1/conversations', newConversation, 'the-template')
  const names = await conversationColumns()
  const made = names.map((name) =>
    name === 'id' ? 'made.id' : name === 'created_at' || name === 'updated_at' ? 'made.at' : `c.${name}`,
  )
  await client.query(
    `insert into conversations (${names.join(', ')}) select ${made.join(', ')} from conversations c,
      (select at, pg_temp.made_id(at, n::text) as id
       from (select n, date_trunc('milliseconds', now() - (n * interval '1 second')) as at from generate_series(1, $1::integer) n) times) made
     limit $1`,
    [conversationCount],
  )
  await client.query('vacuum analyze conversations')
  const { rows } = await client.query('select id from conversations order by id desc limit 1000')
  return rows.map((row) => typeId('conv', row.id))
}

async function conversationColumns(): Promise<string[]> {
  const { rows } = await client.query(
    "select attname from pg_attribute where attrelid = 'conversations'::regclass and attnum > 0 and not attisdropped",
  )
  return rows.map((column) => column.attname)
}

async function pageAt(page: number): Promise<string> {
  let path = '/v1/conversations'
  for (let i = 1; i < page; i++) {
    const body = await send('GET', path)
    path = `/v1/conversations?cursor=${body.next_cursor}`
  }
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
async function send(method: string, path: string, body?: string, key?: string): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${server.apiKey}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

function print(rows: Row[]): void {
  const [cpu] = cpus()
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB, load by ${generator.name}, ` +
      `${seconds} s each, ${conversationCount.toLocaleString('en')} conversations\n`,
  )
  console.log('| request | connections | requests/s | p50 ms | p99 ms | of the limit | failed | server MB |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const row of rows) {
    const cells = [
      row.name,
      row.connections || '',
      Math.round(row.perSecond).toLocaleString('en'),
      Number.isNaN(row.p50Ms) ? '' : row.p50Ms.toFixed(1),
      Number.isNaN(row.p99Ms) ? '' : row.p99Ms.toFixed(1),
      row.ratio === null ? '' : row.ratio.toFixed(2),
      row.failed,
      row.residentMb ? Math.round(row.residentMb) : '',
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

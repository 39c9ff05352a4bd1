import { parseArgs } from 'node:util'
import pg from 'pg'
import { measureBeside } from './beside.ts'
import { conversationColumns, prepareConversations } from './conversations.ts'
import { measureExpiries, prepareDesk } from './desk.ts'
import { defineIds } from './desk-data.ts'
import { measureFiles } from './files.ts'
import { measureFilters } from './filters.ts'
import { measureGrowth } from './growth.ts'
import { measureImports } from './imports.ts'
import { measureStream, measureWebhooks, prepareFeed } from './journal.ts'
import { prepareKnowledge } from './knowledge.ts'
import { measureLimit } from './limit.ts'
import type { Loads, Measured } from './load.ts'
import { measureMails } from './mails.ts'
import { measureLoad, type Row, residentMb, rowOf } from './measure.ts'
import { measureOperators } from './operators.ts'
import { startServer } from './server.ts'
import { measureBreaches, measureClocks, prepareSla } from './sla.ts'
import { summarize } from './summary.ts'
import { cellsOf, costHeads, describeMachine, formatNumber, printTable, rowHeads } from './table.ts'

/*
 * npm run bench: a separate server on a new embedded database, load from this machine, and in the same run the limit
 * of the database. Compare ratios; absolute figures depend on the machine. Without options it prints a summary
 * (summary.ts). `--all` measures every request, `--only` those with a name, `--growth` a database of growing size; only
 * these use the other options. `--files` measures files, `--filters` filters and views, `--imports` an import,
 * `--mails` mails that arrive, `--beside` the product beside a server written by hand, `--operators` a
 * desk with operators, followers and the request log beside one without.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    warmup: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16,64,256' },
    conversations: { type: 'string', default: '200000' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    /** Saves the figures of the summary, which later runs are compared with. */
    save: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    filters: { type: 'boolean', default: false },
    /** Measures an import of `count` messages. */
    imports: { type: 'boolean', default: false },
    /** Measures `count` mails by each way in. */
    mails: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    operators: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '1000000' },
    sizes: { type: 'string', default: '10000,1000000,5000000' },
    data: { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const warmupSeconds = Number(flags.warmup)
const connectionCounts = flags.connections.split(',').map(Number)
const conversationCount = Number(flags.conversations)

const isAsked = (name: string) => !flags.only || name.includes(flags.only)
const isAskedOf = (group: string) => !flags.only || flags.only.startsWith(group)

if (flags.growth) {
  const sizes = flags.sizes.split(',').map(Number)
  const [connections] = connectionCounts
  await measureGrowth({ sizes, seconds, connections: connections!, only: flags.only, data: flags.data })
  process.exit()
}

if (flags.filters) {
  await measureFilters(Number(flags.count), flags.data)
  process.exit()
}

if (flags.imports) {
  await measureImports(Number(flags.count))
  process.exit()
}

if (flags.mails) {
  await measureMails(Number(flags.count))
  process.exit()
}

if (flags.beside) {
  await measureBeside(Number(flags.rounds))
  process.exit()
}

if (flags.operators) {
  await measureOperators(Number(flags.rounds))
  process.exit()
}

if (flags.files) {
  await measureFiles()
  process.exit()
}

const server = await startServer()
const client = new pg.Client(server.connection)
await client.connect()
await defineIds(client)
const isSummary = !flags.all && flags.only === undefined
try {
  if (isSummary) await summarize(server, client, await liveTenant(), flags.save)
  else print(await measureAll())
} finally {
  await client.end()
  await server.stop()
}

async function measureAll(): Promise<Row[]> {
  const tenantId = await liveTenant()
  const loads = await prepareConversations(client, server, conversationCount)
  const rows = await measureLoads(loads)
  if (isAskedOf('journal')) rows.push(...(await measureJournal(tenantId)))
  if (isAskedOf('sla')) rows.push(...(await measureSla()))
  if (isAskedOf('knowledge')) rows.push(...(await measureLoads(await prepareKnowledge(client, server))))
  if (!isAskedOf('desk')) return rows
  rows.push(...(await measureLoads(await prepareDesk(client, server, tenantId))))
  const name = 'desk: hold expiries, by the loop'
  if (!isAsked(name)) return rows
  return [...rows, await alone(name, measureExpiries(client, await conversationColumns(client)))]
}

async function measureJournal(tenantId: string): Promise<Row[]> {
  const wants = (part: string) => !flags.only || flags.only.startsWith(part) || part.startsWith(flags.only)
  const readings = [
    ...(wants('journal: stream') ? await measureStream(server, seconds) : []),
    ...(wants('journal: webhooks') ? await measureWebhooks(client, server, tenantId, seconds) : []),
  ]
  const memory = await residentMb(server)
  const rows = readings.map(({ name, measured }) => rowOf(name, measured, memory))
  return wants('journal: feed')
    ? [...rows, ...(await measureLoads(await prepareFeed(client, tenantId)))]
    : rows
}

async function measureSla(): Promise<Row[]> {
  return [
    await alone('sla: clocks of a week with 20 events, worked out', measureClocks(seconds)),
    ...(await measureLoads(await prepareSla(server))),
    await alone(
      'sla: 10,000 breaches at one moment, by the loop',
      measureBreaches(client, server, await conversationColumns(client)),
    ),
  ]
}

async function alone(name: string, measured: Measured | Promise<Measured>): Promise<Row> {
  const found = await measured
  return rowOf(name, found, await residentMb(server))
}

/** The limit and each kind of request, for each number of connections. */
async function measureLoads(loads: Loads): Promise<Row[]> {
  const rows: Row[] = []
  const chosen = Object.entries(loads).filter(([name]) => isAsked(name))
  if (chosen.length === 0) return rows
  for (const connections of connectionCounts) {
    await measureLimit(server.connection, connections, warmupSeconds)
    const limit = await measureLimit(server.connection, connections, seconds)
    rows.push({ ...rowOf('limit: the same statement, no HTTP', limit), connections, ratio: 1 })
    for (const [name, load] of chosen) {
      const measured = await measureLoad(server, client, load, { connections, seconds, warmupSeconds })
      const ratio = load().method === 'POST' ? measured.perSecond / limit.perSecond : null
      rows.push({ ...measured, name, ratio })
      console.error(`${name} at ${connections}: ${measured.perSecond.toFixed(0)}/s`)
    }
  }
  return rows
}

async function liveTenant(): Promise<string> {
  const { rows } = await client.query("select id from environments where kind = 'live'")
  return rows[0].id
}

function print(rows: Row[]): void {
  console.log(`${describeMachine()}, ${seconds} s each, ${formatNumber(conversationCount)} conversations\n`)
  printTable([...rowHeads, ...costHeads], rows.map(cellsOf))
}

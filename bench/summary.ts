import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import type pg from 'pg'
import { plainCreate, prepareConversations } from './conversations.ts'
import { prepareDesk } from './desk.ts'
import { makeEnvironments } from './desk-data.ts'
import { measureLimit } from './limit.ts'
import { generator, type Load } from './load.ts'
import { measureLoad, type Row, residentMb, rowOf } from './measure.ts'
import type { BenchServer } from './server.ts'
import { cellsOf, costHeads, describeMachine, formatNumber, printTable, rowHeads } from './table.ts'

/*
 * A summary in one table, in less than three minutes: rates, response times, and the processor time per request of server
 * and PostgreSQL, compared with the figures of an earlier run in figures.json.
 */

const file = join(import.meta.dirname, 'figures.json')
const connections = 64
const seconds = 4
const conversationCount = 50_000
const idle = { environments: 10_000, settleMs: 5_000, seconds: 12 }

/** Rows by name, as they are committed. */
type Figures = { machine: string; date: string; rows: Row[] }

/** @param save true: the figures become those that later runs are compared with */
export async function summarize(
  server: BenchServer,
  client: pg.Client,
  tenantId: string,
  save: boolean,
): Promise<void> {
  const committed: Figures | null = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'))
  const rows = await measureAll(server, client, tenantId)
  print(rows, committed)
  if (!save) return
  const figures: Figures = { machine: describeMachine(), date: new Date().toISOString(), rows }
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
}

async function measureAll(server: BenchServer, client: pg.Client, tenantId: string): Promise<Row[]> {
  const loads = await prepareConversations(client, server, conversationCount)
  const rows: Row[] = []
  const limit = await measureLimit(server.connection, connections, seconds)
  rows.push({ ...rowOf('limit: the same statement, no HTTP', limit), connections, ratio: 1 })
  const measure = async (name: string, load: () => Load, warmupSeconds = 2) => {
    const measured = await measureLoad(server, client, load, { connections, seconds, warmupSeconds })
    const ratio = load().method === 'POST' ? measured.perSecond / limit.perSecond : null
    rows.push({ ...measured, name, ratio })
    console.error(`${name}: ${measured.perSecond.toFixed(0)}/s`)
  }
  const {
    'create conversation': create,
    'create conversation, known end user': known,
    'create message': message,
    ...others
  } = loads
  await measure('create conversation', create!, 8) // V8 compiles the code of a new process
  await measure('create conversation, known end user', known!)
  rows.push(await besideCreates(server, others['get by id']!))
  await measure('create message', message!)
  for (const [name, load] of Object.entries(others)) await measure(name, load)
  const desk = await prepareDesk(client, server, tenantId)
  for (const [name, load] of Object.entries(desk)) {
    if (/round robin/.test(name)) await measure(name, load)
  }
  for (const [name, path] of await filteredPages(client, tenantId))
    await measure(name, () => ({ method: 'GET', paths: [path] }))
  rows.push(await measureIdle(server, client))
  return rows
}

/** Response times of reads while the server creates as many conversations as it can. */
async function besideCreates(server: BenchServer, read: () => Load): Promise<Row> {
  const [measured] = await Promise.all([
    generator.run(server, read(), 1, seconds),
    generator.run(server, plainCreate(), connections, seconds),
  ])
  return { ...rowOf('get by id, beside creates', measured), connections: 1 }
}

/** The lists that a desk shows. */
async function filteredPages(client: pg.Client, tenantId: string): Promise<[name: string, path: string][]> {
  const { rows } = await client.query(
    "select department_id, assignee_id from conversations where tenant_id = $1 and status = 'open' and assignee_id is not null limit 1",
    [tenantId],
  )
  const department = typeId('dept', rows[0].department_id)
  const assignee = typeId('op', rows[0].assignee_id)
  const queries = {
    'list status=new': 'status=new',
    'list open, of an operator': `status=open&assignee_id=${assignee}`,
    'list open, of a department': `status=open&department_id=${department}`,
    'list unassigned': 'status=new,open&assignee_id=none',
    'list waiting on operators': 'waiting_on=operator',
    'list open, due next': 'status=open&sort=sla_due_at',
  }
  return Object.entries(queries).map(([name, query]) => [name, `/v1/conversations?${query}`])
}

/** The processor time that a server without requests takes. */
async function measureIdle(server: BenchServer, client: pg.Client): Promise<Row> {
  await makeEnvironments(client, idle.environments)
  await sleep(idle.settleMs)
  const before = await server.usage(client)
  await sleep(idle.seconds * 1000)
  const after = await server.usage(client)
  const perSecond = (used: number) => (used / idle.seconds) * 1e6
  return {
    ...rowOf(`idle for a second with ${formatNumber(idle.environments)} environments`, unmeasured),
    cost: {
      serverMicros: perSecond(after.serverSeconds - before.serverSeconds),
      postgresMicros: perSecond(after.postgresSeconds - before.postgresSeconds),
      walBytes: (after.walBytes - before.walBytes) / idle.seconds,
    },
    residentMb: await residentMb(server),
  }
}

const unmeasured = { perSecond: Number.NaN, p50Ms: Number.NaN, p99Ms: Number.NaN, failed: 0 }

function print(rows: Row[], committed: Figures | null): void {
  console.log(
    `${describeMachine()}, ${seconds} s each, ${formatNumber(conversationCount)} conversations and more\n`,
  )
  const earlier = new Map(committed?.rows.map((row) => [row.name, row]))
  const times = (now: number | undefined, before: number | undefined) =>
    now && before ? `${(now / before).toFixed(2)} ×` : ''
  const processors = ({ cost }: Row) => (cost ? cost.serverMicros + cost.postgresMicros : undefined)
  printTable(
    [...rowHeads, ...costHeads, ...(committed ? ['rate', 'processor time'] : [])],
    rows.map((row) => {
      const before = earlier.get(row.name)
      const compared = before
        ? [times(row.perSecond, before.perSecond), times(processors(row), processors(before))]
        : ['', '']
      return [...cellsOf(row), ...(committed ? compared : [])]
    }),
  )
  if (committed)
    console.log(`\nThe last two columns compare with the run of ${committed.date} on ${committed.machine}.`)
}

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import type { Load, Loads } from './load.ts'
import { measureLoad, type Row, residentMb } from './measure.ts'
import { type BenchServer, freePort, type Measurable, startServer, untilReady, usageOf } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'

/*
 * npm run bench -- --beside: the product beside a server written by hand (bare.ts), on the same Node and the same
 * PostgreSQL, each with a database of its own. They are loaded in turns, one at a time, with requests of the same
 * shape. Figures are medians of the rounds.
 */

const connections = 64
const seconds = 4
/** Before each load of the first round: V8 compiles the code of a new process. */
const warmUpSeconds = 4
const endUsers = 1_000
const conversations = 100

type Rows = Record<string, Row[]>

export async function measureBeside(rounds: number): Promise<void> {
  const product = await startServer()
  const client = new pg.Client(product.connection)
  await client.connect()
  const bare = await startBare(client, product)
  try {
    const measured: [Measurable, Rows][] = [
      [product, {}],
      [bare, {}],
    ]
    for (let round = 0; round < rounds; round++)
      for (const [server, rows] of measured) await measureRound(server, client, rows, round)
    const [ofProduct, ofBare] = measured.map(([, rows]) => rows) as [Rows, Rows]
    print(ofProduct, ofBare, rounds, await residentMb(product))
  } finally {
    await bare.stop()
    await client.end()
    await product.stop()
  }
}

type Bare = Measurable & { stop(): Promise<void> }

async function startBare(client: pg.Client, { connection, dataDir }: BenchServer): Promise<Bare> {
  await client.query('create database bare')
  const [port, apiKey] = [await freePort(), randomUUID()]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      API_KEY: apiKey,
      PGHOST: connection.host,
      PGPORT: String(connection.port),
      PGUSER: connection.user,
      PGDATABASE: 'bare',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, url)
  return {
    url,
    apiKey,
    ...usageOf(child.pid!, dataDir),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function measureRound(server: Measurable, client: pg.Client, rows: Rows, round: number): Promise<void> {
  const measure = async (name: string, load: () => Load) => {
    const warmupSeconds = round === 0 ? warmUpSeconds : 0
    const measured = await measureLoad(server, client, load, { connections, seconds, warmupSeconds })
    rows[name] = [...(rows[name] ?? []), { ...measured, name, ratio: null }]
    console.error(`${round + 1}: ${name}: ${measured.perSecond.toFixed(0)}/s`)
  }
  await measure('create', create)
  const ids = await newestIds(server)
  for (const [name, load] of Object.entries(loadsOf(ids))) await measure(name, load)
}

const create = (): Load => ({
  method: 'POST',
  paths: ['/v1/conversations'],
  bodies: Array.from({ length: endUsers }, (_, i) =>
    JSON.stringify({ external_user_id: `user_${i}`, subject: 'Card declined, case {unique}' }),
  ),
  idempotencyKey: '{unique}',
})

const loadsOf = (ids: string[]): Loads => ({
  message: () => ({
    method: 'POST',
    paths: ids.map((id) => `/v1/conversations/${id}/messages`),
    bodies: [JSON.stringify({ author_side: 'end_user', body: 'It was declined again, case {unique}.' })],
    idempotencyKey: '{unique}',
  }),
  get: () => ({ method: 'GET', paths: ids.map((id) => `/v1/conversations/${id}`) }),
  'page of 20': () => ({ method: 'GET', paths: ['/v1/conversations?limit=20'] }),
  'page of 20, status=new': () => ({ method: 'GET', paths: ['/v1/conversations?limit=20&status=new'] }),
})

async function newestIds({ url, apiKey }: Measurable): Promise<string[]> {
  const response = await fetch(`${url}/v1/conversations?limit=${conversations}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

function print(ofProduct: Rows, ofBare: Rows, rounds: number, memory: number): void {
  console.log(`${describeMachine()}, ${rounds} rounds of ${seconds} s each, ${connections} connections\n`)
  printTable(
    ['request', 'server', 'requests/s', 'p99 ms', 'server µs', 'PostgreSQL µs', 'processor time', 'failed'],
    Object.keys(ofProduct).flatMap((name) => {
      const [product, bare] = [medians(ofProduct[name]!), medians(ofBare[name]!)]
      const ratio =
        (product.serverMicros + product.postgresMicros) / (bare.serverMicros + bare.postgresMicros)
      return [
        cellsOf(name, 'Backline', product, `${formatNumber(ratio, 2)} ×`),
        cellsOf(name, 'by hand', bare, '1'),
      ]
    }),
  )
  console.log(`\nResident memory of the product at the end: ${formatNumber(memory)} MB`)
}

const cellsOf = (name: string, server: string, row: ReturnType<typeof medians>, ratio: string) => [
  name,
  server,
  formatNumber(row.perSecond),
  formatNumber(row.p99Ms, 1),
  formatNumber(row.serverMicros),
  formatNumber(row.postgresMicros),
  ratio,
  row.failed,
]

const medians = (rows: Row[]) => ({
  perSecond: median(rows.map(({ perSecond }) => perSecond)),
  p99Ms: median(rows.map(({ p99Ms }) => p99Ms)),
  serverMicros: median(rows.map(({ cost }) => cost!.serverMicros)),
  postgresMicros: median(rows.map(({ cost }) => cost!.postgresMicros)),
  failed: rows.reduce((sum, { failed }) => sum + failed, 0),
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

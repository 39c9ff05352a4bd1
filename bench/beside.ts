import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { residentMb } from './measure.ts'
import { type BenchServer, freePort, type Measurable, startServer, untilReady, usageOf } from './server.ts'
import { formatNumber } from './table.ts'
import { measureInTurns } from './turns.ts'

/*
 * npm run bench -- --beside: the product beside a server written by hand (bare.ts), on the same Node and the same
 * PostgreSQL, each with a database of its own.
 */

export async function measureBeside(rounds: number): Promise<void> {
  const product = await startServer()
  const client = new pg.Client(product.connection)
  await client.connect()
  const bare = await startBare(client, product)
  try {
    await measureInTurns(
      [
        { name: 'Backline', server: product, client },
        { name: 'by hand', server: bare, client },
      ],
      rounds,
    )
    console.log(`\nResident memory of the product at the end: ${formatNumber(await residentMb(product))} MB`)
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

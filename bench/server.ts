import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Connection } from '../src/db/database.ts'
import { findRunning } from '../src/db/embedded/embedded.ts'
import type { Target } from './load.ts'

export type BenchServer = Target & {
  connection: Connection
  /** Of the server process. */
  pid: number
  /** Resident memory of the server process, without PostgreSQL's, in bytes. */
  residentBytes(): Promise<number>
  stop(): Promise<void>
}

const repository = join(import.meta.dirname, '..')

/** A server of its own on a new embedded database, run by the command of `npm start`; rate limiting is off. */
export async function startServer(): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'backline-bench-'))
  const port = await freePort()
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: repository,
    env: {
      ...process.env,
      PATH: `${join(repository, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
      DATABASE_URL: '',
      PORT: String(port),
      BACKLINE_DATA_DIR: dataDir,
      BACKLINE_RATE_LIMIT_PER_SECOND: '0',
      BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const apiKey = await keyFromOutput(child)
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('The embedded PostgreSQL was not found')
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    connection,
    pid: child.pid!,
    residentBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
    },
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function keyFromOutput(child: ChildProcess): Promise<string> {
  let key = ''
  for await (const line of createInterface(child.stdout!)) {
    key ||= /bkl_live_\w+/.exec(line)?.[0] ?? ''
    if (key) break // printed once it listens
  }
  child.stdout!.resume()
  if (!key) throw new Error('The server did not start')
  return key
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

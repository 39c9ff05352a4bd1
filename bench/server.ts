import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, findRunning } from '@backline/embedded-postgres'
import type pg from 'pg'
import type { Target } from './load.ts'
import { readUsage, type Usage } from './usage.ts'

/** A server whose cost can be measured. */
export type Measurable = Target & {
  /** Resident memory of the server process in bytes, without PostgreSQL. */
  residentBytes(): Promise<number>
  /** What the server and its database have used. */
  usage(client: pg.Client): Promise<Usage>
}

export type BenchServer = Measurable & {
  connection: EmbeddedPostgres['connection']
  dataDir: string
  /** A key of the test environment. */
  testKey: string
  /** The process id of the server. */
  pid: number
  stop(): Promise<void>
}

const repository = join(import.meta.dirname, '..')

/**
 * Starts a separate server on a new embedded database by the command of `npm start`, with a rate limit that no run
 * reaches.
 * @param kept a data directory that is kept for later runs
 * @param settings of this server, beside those of all
 */
export async function startServer(
  kept?: string,
  settings: Record<string, string> = {},
): Promise<BenchServer> {
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'backline-bench-')))
  await mkdir(dataDir, { recursive: true })
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
      BACKLINE_RATE_LIMIT_PER_SECOND: '1000000',
      BACKLINE_END_USER_WRITES_PER_10_SECONDS: '0',
      BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, url)
  const { live: apiKey, test: testKey } = await firstKeys(join(dataDir, 'first-keys.json'))
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('The embedded PostgreSQL was not found')
  return {
    url,
    apiKey,
    testKey,
    connection,
    dataDir,
    pid: child.pid!,
    ...usageOf(child.pid!, dataDir),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      if (!kept) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param dataDir of the embedded PostgreSQL that the process uses */
export const usageOf = (pid: number, dataDir: string): Pick<Measurable, 'residentBytes' | 'usage'> => ({
  residentBytes: async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
  },
  usage: (client) => readUsage(client, dataDir, pid),
})

/** The keys that the first start writes when it is ready. */
async function firstKeys(file: string): Promise<{ live: string; test: string }> {
  while (!existsSync(file)) await sleep(20)
  return JSON.parse(await readFile(file, 'utf8'))
}

export async function untilReady(child: ChildProcess, url: string): Promise<void> {
  child.stdout!.resume()
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await sleep(100)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

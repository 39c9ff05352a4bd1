import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostmaster, servesCluster } from '@backline/embedded-postgres'
import { secretKey, urlOf } from './databases.ts'
import type { Service } from './harness.ts'

/*
 * Real server processes for tests that start, stop and kill them. cleanUp() ends all processes and removes all
 * directories of a test file, whatever the result of its tests.
 */

export const repository = join(import.meta.dirname, '..')

/** The command `backline`. */
export const launcher = 'packages/server/bin/backline.cjs'

/** The time limit for a response, a start or an end on a busy machine. */
export const patienceMs = 120_000

const processes = new Set<ServerProcess>()
const directories = new Set<string>()

/** Creates a directory that the unprivileged user of PostgreSQL can traverse; `cleanUp` removes it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'backline-process-'))
  chmodSync(directory, 0o755)
  directories.add(directory)
  return directory
}

/**
 * Returns a free port. It is below 32768: systems give the ports above to connections, and to other tests' servers
 * that name none, so that one of them could have it before the caller's server listens.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Repeats until the result is neither false nor null.
 * @param what the result, for the error; a function if it says what there was instead
 */
export async function until<Value>(
  what: string | (() => string),
  ask: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  patience = patienceMs,
): Promise<Value> {
  for (const startedAt = performance.now(); performance.now() - startedAt < patience; await sleep(20)) {
    const answer = await ask()
    if (answer) return answer
  }
  throw new Error(`Waited ${patience} ms in vain: ${typeof what === 'string' ? what : what()}`)
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

const inherited = () =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name] ?? '']),
  )

type LaunchOptions = {
  /** Settings of the server. It inherits only the variables in `inherited`. */
  environment?: Record<string, string>
  command?: [string, ...string[]]
  directory?: string
}

/** A started program, usually the server, and its output. */
export class ServerProcess {
  readonly child: ChildProcess
  readonly environment: Record<string, string>
  /** The file of the first keys, of a server in the directory of the process. */
  readonly keyFile: string
  /** Set once the program has ended. */
  exit: Exit | null = null
  stdout = ''
  stderr = ''

  constructor({ environment = {}, command, directory }: LaunchOptions) {
    const [program, ...args] = command ?? [process.execPath, 'packages/server/src/main.ts']
    this.environment = environment
    const dataDir = environment.BACKLINE_DATA_DIR ?? join(directory ?? repository, 'data')
    this.keyFile = join(dataDir, 'first-keys.json')
    this.child = spawn(program, args, {
      cwd: directory ?? repository,
      env: { ...inherited(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    // `close` comes after `exit`, when all output has been read; a PostgreSQL left behind has its own output.
    this.child.once('close', (code, signal) => {
      this.exit = { code, signal }
    })
    processes.add(this)
  }

  get pid(): number {
    return this.child.pid!
  }

  get url(): string {
    return `http://127.0.0.1:${this.environment.PORT}`
  }

  /** Both keys as the first start writes them; null if it wrote none. */
  get keys(): { live: string; test: string } | null {
    return existsSync(this.keyFile) ? JSON.parse(readFileSync(this.keyFile, 'utf8')) : null
  }

  /** The keys of a first start, which are written a moment after the server listens. */
  firstKeys(): Promise<{ live: string; test: string }> {
    return until('the keys are written', () => this.keys)
  }

  /** The program's output, for messages of failed tests. */
  get output(): string {
    return `--- stdout\n${this.stdout.slice(-4000)}\n--- stderr\n${this.stderr.slice(-4000)}`
  }

  /** Resolves when the server responds. @throws if it ends before; the message has its output */
  async ready(): Promise<this> {
    try {
      await until('the server answers', async () => {
        if (this.exit) throw new Error(`The server ended with ${JSON.stringify(this.exit)}`)
        return fetch(`${this.url}/healthz`).then(
          (response) => response.ok,
          () => false,
        )
      })
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.output}`)
    }
    return this
  }

  /** Waits for the program to end; kills it and its children after `patience`. @throws with its output in this case */
  async ended(patience = patienceMs): Promise<Exit> {
    try {
      return await until(`process ${this.pid} ends`, () => this.exit, patience)
    } catch (error) {
      signalAll(familyOf(this.pid), 'SIGKILL')
      throw new Error(`${(error as Error).message}\n${this.output}`)
    }
  }

  /** Sends a signal, like `kill <pid>`; resolves when the program has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    if (!this.exit) this.child.kill(signal)
    return this.ended()
  }
}

export const launch = (options: LaunchOptions): ServerProcess => new ServerProcess(options)

/** Starts the server on a free port, without a rate limit, and waits until it responds. */
export async function startServer(options: LaunchOptions = {}): Promise<ServerProcess> {
  const { DATABASE_URL, BACKLINE_DATA_DIR } = options.environment ?? {}
  const environment = {
    PORT: String(await freePort()),
    BACKLINE_RATE_LIMIT_PER_SECOND: '0',
    // Otherwise the server would create its keys in the checkout. Servers of one database have the same secret key.
    ...(options.directory ? {} : { BACKLINE_DATA_DIR: temporaryDirectory() }),
    ...(DATABASE_URL && !BACKLINE_DATA_DIR ? { BACKLINE_SECRET_KEY: secretKey } : {}),
    ...options.environment,
  }
  return launch({ ...options, environment }).ready()
}

/** Starts another server on a service's database; in `npm run test:system`, as a separate process. */
export const secondServer = (
  api: Service,
  environment: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<unknown> }> =>
  process.env.BACKLINE_SECOND_SERVER === 'process'
    ? startServer({
        environment: {
          DATABASE_URL: urlOf(api.connection),
          BACKLINE_FILES_DIR: api.filesDir,
          ...environment,
        },
      })
    : api.another({ works: true, environment })

/** The directory of the embedded PostgreSQL's files. */
export const clusterOf = (dataDirectory: string): string => join(dataDirectory, 'postgres')

/** The postmaster of a data directory; null without a pid file. */
export const postmasterPid = async (dataDirectory: string): Promise<number | null> =>
  (await readPostmaster(clusterOf(dataDirectory)))?.pid ?? null

/** Kills the server, its PostgreSQL and all of PostgreSQL's processes at once, like a power failure. */
export async function killEverything(server: ServerProcess, dataDirectory: string): Promise<void> {
  const postmaster = await postmasterPid(dataDirectory)
  const pids = [server.pid, ...(postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)])]
  signalAll(pids, 'SIGKILL')
  await server.ended()
  await until('all killed processes are gone', () => !pids.some(isRunning))
}

/** Sends a signal to those of the processes that still run. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {} // it has ended itself
  }
}

type Entry = { pid: number; parent: number; state: string }

/** Returns all processes: from /proc, or from `ps` without it. */
function processTable(): Entry[] {
  if (!existsSync('/proc/self/stat')) {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' }).split('\n')
    return lines.filter(Boolean).map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), state: state[0] ?? '' }
    })
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state = '', parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
        return [{ pid: Number(name), parent: Number(parent), state }]
      } catch {
        return [] // it ended meanwhile
      }
    })
}

export const childrenOf = (pid: number): number[] =>
  processTable()
    .filter((entry) => entry.parent === pid)
    .map((entry) => entry.pid)

/** Returns a process and all of its descendants. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

/** Returns false for a zombie, which is still listed. */
export const isRunning = (pid: number): boolean =>
  processTable().some((entry) => entry.pid === pid && entry.state !== 'Z')

/** Ends every started process and removes every directory; for `after`. */
export async function cleanUp(): Promise<void> {
  for (const server of processes) if (!server.exit) signalAll(familyOf(server.pid), 'SIGKILL')
  for (const directory of directories) {
    for (const postmaster of await postmastersBelow(directory)) signalAll(familyOf(postmaster), 'SIGKILL')
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  processes.clear()
  directories.clear()
}

/** Returns every PostgreSQL on a cluster below a directory of these tests. */
async function postmastersBelow(directory: string): Promise<number[]> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const found: number[] = []
  for (const file of files.filter((each) => basename(each) === 'postmaster.pid')) {
    const cluster = dirname(join(directory, file))
    const postmaster = await readPostmaster(cluster)
    if (postmaster && (await servesCluster(postmaster.pid, cluster))) found.push(postmaster.pid)
  }
  return found
}

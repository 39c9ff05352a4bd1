import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { familyOf, freePort, isRunning, signalAll, temporaryDirectory, until } from '../processes.ts'

/* A primary and its standby, made and promoted by PostgreSQL's own programs, which the embedded PostgreSQL lacks. */

const needed = ['initdb', 'pg_ctl', 'pg_basebackup', 'postgres']

/** The programs of the newest PostgreSQL of this machine; null without one. */
export const programs: string | null =
  [
    ...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => versionOf(b) - versionOf(a)),
    ...(process.env.PATH ?? '').split(':'),
  ].find((directory) => needed.every((program) => existsSync(join(directory, program)))) ?? null

function versionOf(directory: string): number {
  return Number(/\d+/.exec(directory)?.[0])
}

/** PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? accountOf('postgres') : null

function accountOf(user: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8' })),
  )
  return { uid: uid!, gid: gid! }
}

const user = 'backline'
export const database = 'backline'

const run = async (program: string, ...args: string[]): Promise<void> => {
  await promisify(execFile)(join(programs!, program), args, { ...account, cwd: '/', env: { LC_ALL: 'C' } })
}

/** A PostgreSQL on a port of its own, without TLS and passwords. */
export class Cluster {
  readonly port: number
  readonly directory: string

  constructor(port: number) {
    this.port = port
    this.directory = join(temporaryDirectory(), 'cluster')
    mkdirSync(this.directory, { mode: 0o700 })
    if (account) chownSync(this.directory, account.uid, account.gid)
  }

  get connection() {
    return { host: '127.0.0.1', port: this.port, user, database }
  }

  async start(): Promise<void> {
    await run('pg_ctl', 'start', '-w', '-t', '60', '-D', this.directory, '-l', join(this.directory, 'log'))
  }

  /** Kills all of its processes at once, like a power failure. */
  async kill(): Promise<void> {
    const pids = this.#pids()
    signalAll(pids, 'SIGKILL')
    await until('all killed processes are gone', () => !pids.some(isRunning))
  }

  /** Suspends all of its processes: connections stay open, and nothing responds, as if the network were cut. */
  freeze(): void {
    signalAll(this.#pids().slice(0, 1), 'SIGSTOP') // afterwards it starts no others
    signalAll(this.#pids(), 'SIGSTOP')
  }

  #pids(): number[] {
    const [postmaster] = readFileSync(join(this.directory, 'postmaster.pid'), 'utf8').split('\n')
    return familyOf(Number(postmaster))
  }

  async promote(): Promise<void> {
    await run('pg_ctl', 'promote', '-w', '-t', '60', '-D', this.directory)
  }

  async rows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client(this.connection)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  configure(lines: string[]): void {
    appendFileSync(join(this.directory, 'postgresql.conf'), `${lines.join('\n')}\n`)
  }
}

export async function startPrimary(): Promise<Cluster> {
  const cluster = new Cluster(await freePort())
  await run('initdb', '-D', cluster.directory, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C')
  cluster.configure([
    `port = ${cluster.port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 100',
    'wal_keep_size = 256MB',
    'wal_receiver_timeout = 5s',
  ])
  await cluster.start()
  const client = new pg.Client({ ...cluster.connection, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return cluster
}

/** Makes a standby of a primary; resolves when it replicates, and every write waits for it if it is synchronous. */
export async function startStandby(primary: Cluster, kind: 'synchronous' | 'asynchronous'): Promise<Cluster> {
  const standby = new Cluster(await freePort())
  const { host, port } = primary.connection
  await run(
    ...(['pg_basebackup', '-D', standby.directory, '-h', host, '-p', String(port), '-U', user] as const),
    ...['-R', '-X', 'stream', '-c', 'fast'],
  )
  standby.configure([`port = ${standby.port}`])
  await standby.start()
  const names = kind === 'synchronous' ? '*' : ''
  await primary.rows(`alter system set synchronous_standby_names = '${names}'`)
  await primary.rows('select pg_reload_conf()')
  const state = kind === 'synchronous' ? 'sync' : 'async'
  await until('the standby replicates', async () => {
    const [row] = await primary.rows<{ state: string }>('select sync_state as state from pg_stat_replication')
    return row?.state === state
  })
  return standby
}

/** Suspends the sender of the primary: what is written from now on does not reach the standby. */
export async function suspendReplication(primary: Cluster): Promise<void> {
  const senders = await primary.rows<{ pid: number }>('select pid from pg_stat_replication')
  for (const { pid } of senders) process.kill(pid, 'SIGSTOP')
}

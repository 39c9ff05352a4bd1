import { createHash } from 'node:crypto'
import { lchown, lstat, mkdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError, orWhen } from './error.ts'
import { isAlive } from './process.ts'

/** The content of PostgreSQL's postmaster.pid. */
export type Postmaster = { pid: number; socketDirectory: string; isReady: boolean }

const longestSocketPathBytes = 107
const port = 5432 // only names the socket file

/** Options to connect through a socket directory. Without TLS, whatever PGSSLMODE is: a Unix socket has none. */
export const connectionThrough = (socketDirectory: string) =>
  ({ host: socketDirectory, port, user: 'backline', database: 'backline', ssl: false }) as const

/** Identifies a path in few characters. */
export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The directory of the socket: the cluster, protected by its mode 0700, unless the path is too long. */
export function socketDirectoryOf(cluster: string): string {
  const bytes = Buffer.byteLength(`${cluster}/.s.PGSQL.${port}`)
  return bytes <= longestSocketPathBytes ? cluster : path.join(os.tmpdir(), `backline-${shortHash(cluster)}`)
}

/** Creates the socket directory if it is not the cluster itself. */
export async function makeSocketDirectory(directory: string, account: Account | null): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch(orWhen('EEXIST', undefined))
  const found = await lstat(directory)
  const isOurs = found.uid === process.getuid?.() || found.uid === account?.uid
  // In a public directory another user may have created it first, to intercept connections.
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new EmbeddedPostgresError(
      `${directory}, the directory of PostgreSQL's socket, must be private and owned by the user of Backline: remove it, or set BACKLINE_DATA_DIR to a shorter path`,
    )
  }
  if (account) await lchown(directory, account.uid, account.gid)
}

/** PostgreSQL's settings as flags, so that no configuration file needs edits or upgrades. */
export function serverFlags(
  cluster: string,
  socketDirectory: string,
  others: Record<string, string>,
): string[] {
  const settings = {
    listen_addresses: '', // no TCP: access requires access to the directory
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`, // quoted because of commas and spaces
    port,
    cluster_name: 'backline', // names the processes in ps
    max_connections: 100, // far more than one server uses; leaves room for commands
    shared_buffers: '128MB', // enough for hot rows; the operating system caches the rest
    max_wal_size: '2GB', // fewer checkpoints, hence fewer full-page writes
    min_wal_size: '256MB', // files that are kept, so that none must be created under load
    autovacuum_naptime: '10s', // until then a new installation has no statistics for plans
    wal_compression: 'off', // pglz, all that the packaged build has, costs 12 % of the writes per second
    fsync: 'on', // acknowledged writes survive a power failure
    full_page_writes: 'on',
    synchronous_commit: 'on',
    io_method: 'sync', // no I/O worker processes: the data is mostly cached
    max_logical_replication_workers: 0, // not used, saves its launcher process
    idle_in_transaction_session_timeout: '30s', // a forgotten transaction must not block vacuum and locks
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log', // no errors: duplicate keys are normal, and their details are customer data
    log_checkpoints: 'off', // not actionable
    log_min_error_statement: 'panic', // statements contain customer data; the server logs its own errors
    ...others,
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Reads postmaster.pid; null if it is missing or incomplete. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(orWhen('ENOENT', ''))
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, socketDirectory: lines[4] || cluster, isReady: lines[7] === 'ready' }
}

/** Is the process PostgreSQL on this cluster? If that is not visible, any living process counts. */
export async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  return (await commandLine(pid))?.includes(cluster) ?? false
}

/**
 * Removes the pid files of a dead PostgreSQL whose process id belongs to another program now, as happens in
 * containers, or whose parent has not reaped it yet. PostgreSQL itself sees a living process and would refuse to
 * start.
 */
export async function removeStalePidFiles(
  cluster: string,
  { pid, socketDirectory }: Postmaster,
): Promise<void> {
  const program = (await commandLine(pid))?.[0]
  if (program === undefined || path.basename(program).startsWith('postgres')) return
  await rm(path.join(socketDirectory, `.s.PGSQL.${port}.lock`), { force: true })
  await rm(path.join(cluster, 'postmaster.pid'), { force: true })
}

/** One empty string for a process that is dead but still listed; null for one that is not visible. */
async function commandLine(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  return text?.split('\0') ?? null
}

import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Account, chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { makeDirectory, placeCluster, prepareCluster } from './cluster.ts'
import { codeOf, EmbeddedPostgresError, orWhen } from './error.ts'
import { claimDirectory, isSessionLockFree, type Purpose, refusal, sessionLockHolder } from './lock.ts'
import {
  connectionThrough,
  makeSocketDirectory,
  readPostmaster,
  removeStalePidFiles,
  servesCluster,
  socketDirectoryOf,
} from './postmaster.ts'
import { connect, type Log, Supervisor, type SupervisorState } from './supervisor.ts'

export { DirectoryInUse, EmbeddedPostgresError } from './error.ts'

export type EmbeddedPostgres = {
  /** Options for `pg.Client` and `pg.Pool`: the directory of the Unix socket as host. */
  connection: ReturnType<typeof connectionThrough>
  /** Whether PostgreSQL runs, and how often it was restarted after it had ended unexpectedly. */
  state(): SupervisorState
  /** Stops PostgreSQL, waits for its end and releases the directory. Idempotent. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  purpose: Purpose
  log: Log
  /** Settings of PostgreSQL in place of the usual ones. */
  settings?: Record<string, string>
  /** Called when this process begins to wait for one of PostgreSQL: initdb, then the server. */
  meanwhile?: () => void
}

const orphanPatienceMs = 30_000
const orphanQuitPatienceMs = 10_000
const pollMs = 20

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, creates the database if there is none, and keeps it running until
 * `stop`. One process at a time owns the directory; a PostgreSQL that a killed server left is stopped first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const directory = await openDirectory(options.dataDir)
    const claim = await claimDirectory(directory, options.purpose)
    try {
      const supervisor = await startOn(directory, options)
      const stop = () => supervisor.stop().finally(claim.release)
      return { connection: supervisor.connection, state: () => supervisor.state, stop }
    } catch (error) {
      claim.release()
      throw error
    }
  } catch (error) {
    throw explain(error, options.dataDir)
  }
}

/**
 * The connection to the PostgreSQL of a running server, for commands; null if there is none. An orphan, or one that
 * another command has started temporarily, does not count: both will end.
 */
export async function findRunning(dataDir: string): Promise<EmbeddedPostgres['connection'] | null> {
  try {
    const postmaster = await readPostmaster(path.join(path.resolve(dataDir), 'postgres'))
    if (!postmaster?.isReady) return null
    const connection = connectionThrough(postmaster.socketDirectory)
    const client = await connect(connection, 'backline search').catch(() => null)
    if (!client) return null
    // A PostgreSQL that ends meanwhile belongs to a command, or is an orphan.
    const holder = await sessionLockHolder(client).catch(() => null)
    await client.end().catch(() => undefined)
    return holder?.purpose === 'server' ? connection : null
  } catch (error) {
    throw explain(error, dataDir)
  }
}

async function openDirectory(dataDir: string): Promise<string> {
  await makeDirectory(path.resolve(dataDir))
  return realpath(dataDir)
}

async function startOn(
  directory: string,
  { purpose, log, settings = {}, meanwhile = () => undefined }: EmbeddedOptions,
): Promise<Supervisor> {
  const account = await chooseAccount(path.join(directory, 'postgres'))
  const cluster = await placeCluster(directory, account, (message) => log('warn', message))
  await removeOrphan(cluster, directory, log)
  const binaries = await findBinaries(account)
  await prepareCluster(cluster, account, binaries, meanwhile)
  const socketDirectory = await prepareSocket(cluster, account)
  const logFile = path.join(directory, 'postgres.log')
  const supervisor = new Supervisor({
    directory,
    cluster,
    socketDirectory,
    logFile,
    binaries,
    account,
    purpose,
    log,
    settings,
  })
  const starting = supervisor.start()
  meanwhile()
  await starting
  return supervisor
}

async function prepareSocket(cluster: string, account: Account | null): Promise<string> {
  const socketDirectory = socketDirectoryOf(cluster)
  if (socketDirectory !== cluster) await makeSocketDirectory(socketDirectory, account)
  return socketDirectory
}

/** This process owns the directory, so a running PostgreSQL was left by a process that died. */
async function removeOrphan(cluster: string, directory: string, log: Log): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster) return
  if (await servesCluster(postmaster.pid, cluster)) {
    await refuseWhenServed(postmaster.socketDirectory, directory)
    log(
      'warn',
      `stopping PostgreSQL (process ${postmaster.pid}), left running by a Backline process that was killed`,
    )
    await endOrphan(postmaster.pid, cluster)
  }
  await removeStalePidFiles(cluster, postmaster)
}

async function endOrphan(pid: number, cluster: string): Promise<void> {
  const hasEnded = async () => !(await servesCluster(pid, cluster))
  signal(pid, 'SIGINT')
  if (await waitFor(hasEnded, orphanPatienceMs)) return
  signal(pid, 'SIGQUIT')
  if (await waitFor(hasEnded, orphanQuitPatienceMs)) return
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${pid}) on ${cluster} does not stop: end it with kill -9 ${pid}`,
  )
}

/** The lock file of a running server may have been deleted; its session still shows it. */
async function refuseWhenServed(socketDirectory: string, directory: string): Promise<void> {
  const client = await connect(connectionThrough(socketDirectory), 'backline search').catch(() => null)
  if (!client) return // starting or stopping: it serves no one
  try {
    if (!(await isSessionLockFree(client))) throw refusal(directory, await sessionLockHolder(client))
  } finally {
    await client.end()
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    orWhen('ESRCH', undefined)(error)
  }
}

async function waitFor(condition: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const startedAtMs = Date.now(); Date.now() - startedAtMs < patienceMs; await sleep(pollMs)) {
    if (await condition()) return true
  }
  return false
}

/** Converts system and PostgreSQL errors to one line; own errors remain. */
function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error)) return error
  const isLockFile = codeOf(error) === 'ERR_SQLITE_ERROR'
  if (!isLockFile && !('syscall' in error) && !(error instanceof pg.DatabaseError)) return error
  if ('syscall' in error && String(error.syscall).startsWith('spawn')) {
    const advice = 'it needs Linux with glibc, or macOS; set DATABASE_URL to use your own PostgreSQL'
    return new EmbeddedPostgresError(`cannot run the embedded PostgreSQL (${error.message}): ${advice}`, {
      cause: error,
    })
  }
  const isForbidden = isLockFile || codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
  const advice = isForbidden
    ? ': run Backline as the user that owns it, or set BACKLINE_DATA_DIR to another directory'
    : ': set BACKLINE_DATA_DIR to another directory'
  return new EmbeddedPostgresError(`cannot use the data directory ${dataDir} (${error.message})${advice}`, {
    cause: error,
  })
}

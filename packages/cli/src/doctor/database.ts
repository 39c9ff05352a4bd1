import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connect,
  connectionThrough,
  readPostmaster,
  servesCluster,
  sessionLockHolder,
} from '@backline/embedded-postgres'
import type { Config } from '@backline/server/compose/config.ts'
import { invocation } from '@backline/server/compose/invocation.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { findKeyChecks, type KeyChecks } from '@backline/server/compose/secret-key.ts'
import { findStoreMarker } from '@backline/server/compose/store-marker.ts'
import { adviceForConnection, adviceForWorkers } from '@backline/server/compose/usable-database.ts'
import { probeWorkers } from '@backline/server/platform/postgres/cluster-probe.ts'
import { type Connection, type Database, openDatabase } from '@backline/server/platform/postgres/database.ts'
import { sqlState, sqlStates } from '@backline/server/platform/postgres/errors.ts'
import { latestHost } from '@backline/server/platform/postgres/hosts.ts'
import {
  MigrationError,
  pendingMigrations,
  readMigrations,
} from '@backline/server/platform/postgres/migrate.ts'
import {
  adviceForRights,
  adviceForServer,
  type DatabaseFacts,
  findDatabaseFacts,
  newestVersion,
  readClock,
} from '@backline/server/platform/postgres/server-facts.ts'
import { PoolerError, requireSessionMode } from '@backline/server/platform/postgres/session.ts'
import { withConnection } from '../database.ts'
import { counted, fewOf } from '../text.ts'
import { type Check, fault, ok, warning } from './check.ts'

/** Values that the database keeps to recognize other parts; null if there is none, or it was not reachable. */
type Known = {
  /** The checks of the secret keys. */
  keyChecks: KeyChecks | null
  /** The marker of the file store. */
  storeMarker: Buffer | null
}

type Examination = Known & { checks: Check[] }

const nothingKnown: Known = { keyChecks: null, storeMarker: null }

/** `serverPid`: the Backline server on the data directory, if there is one. */
export type DatabaseReport = Examination & { serverPid: number | null }

/** `external`: that of DATABASE_URL. */
type Kind = 'embedded' | 'external'

/** Times decide which work is due and which key has expired, so the clocks of machines must agree. */
const tolerableOffsetMs = 2_000
const orphanPatienceMs = 500

export async function checkExternal(url: string): Promise<DatabaseReport> {
  return { ...(await examine(url, 'external')), serverPid: null }
}

/** A database that was never created has no faults. */
export const notMadeYet: DatabaseReport = {
  checks: [ok('database', 'embedded PostgreSQL; created at the first start')],
  ...nothingKnown,
  serverPid: null,
}

/**
 * Checks the embedded PostgreSQL: that of the running server, one that a killed server left, or one started
 * temporarily.
 */
export async function checkEmbedded(config: Config): Promise<DatabaseReport> {
  const cluster = path.join(config.dataDir, 'postgres')
  const orphan = await findOrphan(cluster)
  if (orphan) {
    const left = warning(
      'embedded server',
      `PostgreSQL (process ${orphan.pid}) is still running after its Backline process was killed`,
      'no action needed: the next start stops it and starts its own',
      { orphan_pid: orphan.pid },
    )
    const { checks, ...known } = await examine(orphan.connection, 'embedded')
    return { checks: [left, ...checks], ...known, serverPid: null }
  }
  try {
    return await withConnection(config, async (connection, isOurs) => {
      const serverPid = isOurs ? null : await pidOfServer(connection as SocketConnection)
      const state = isOurs
        ? 'no server is using the data directory'
        : `a server is using the data directory (process ${serverPid})`
      const running = ok('embedded server', state, { server_pid: serverPid })
      const { checks, ...known } = await examine(connection, 'embedded')
      return { checks: [running, ...checks], ...known, serverPid }
    })
  } catch (error) {
    const advice = `see the log of PostgreSQL, ${path.join(config.dataDir, 'postgres.log')}`
    const checks = [fault('database', reasonOf(error), advice, { kind: 'embedded' })]
    return { checks, ...nothingKnown, serverPid: null }
  }
}

type SocketConnection = ReturnType<typeof connectionThrough>

async function findOrphan(cluster: string): Promise<{ pid: number; connection: SocketConnection } | null> {
  for (let look = 1; ; look++) {
    const postmaster = await readPostmaster(cluster).catch(() => null)
    const real = await realpath(cluster).catch(() => null)
    if (!postmaster?.isReady || !real || !(await servesCluster(postmaster.pid, real))) return null
    const connection = connectionThrough(postmaster.socketDirectory)
    if ((await holderOf(connection)) !== null) return null
    if (look === 2) return { pid: postmaster.pid, connection }
    await sleep(orphanPatienceMs) // a server that has just started PostgreSQL is about to take the lock
  }
}

/** Null if no process holds PostgreSQL's lock; any error means that it cannot be queried. */
async function holderOf(connection: SocketConnection) {
  try {
    const client = await connect(connection, 'backline doctor')
    return await sessionLockHolder(client).finally(() => client.end())
  } catch {
    return undefined
  }
}

const pidOfServer = async (connection: SocketConnection) => (await holderOf(connection))?.pid ?? null

async function examine(connection: Connection, kind: Kind): Promise<Examination> {
  const db = openDatabase(connection, () => undefined)
  try {
    await requireSessionMode(connection)
    const facts = await findDatabaseFacts(db)
    const checks = [
      checkDatabase(facts, kind, latestHost(connection)),
      await checkMigrations(connection, facts),
      await checkClock(db),
      ...(await checkWorkers(db, connection)),
    ]
    return { checks, ...(await knownBy(db)) }
  } catch (error) {
    const problem = error instanceof PoolerError ? error.problem : reasonOf(error)
    return {
      checks: [fault('database', `${kind}: ${problem}`, adviceFor(error, kind), { kind })],
      ...nothingKnown,
    }
  } finally {
    await Promise.race([db.close().catch(() => undefined), sleep(1_000)])
  }
}

function adviceFor(error: unknown, kind: Kind): string {
  if (error instanceof PoolerError) return error.advice
  return kind === 'embedded' ? 'restart Backline' : adviceForConnection(error)
}

/** The key checks and the store marker in the database; none before its first migration. */
async function knownBy(db: Database): Promise<Known> {
  try {
    return { keyChecks: await findKeyChecks(db), storeMarker: await findStoreMarker(db) }
  } catch (error) {
    if (sqlState(error) === sqlStates.undefinedTable) return nothingKnown
    throw error
  }
}

function checkDatabase(facts: DatabaseFacts, kind: Kind, host: string | null): Check {
  const { version, versionNumber, encoding, isStandby, user, database } = facts
  const major = Math.floor(versionNumber / 10_000)
  const shown = { kind, version, encoding, is_standby: isStandby, user, database, ...(host && { host }) }
  const place = host === null ? '' : ` at ${host}`
  const detail = `${kind}: PostgreSQL ${version}${place}, database ${database} as ${user}`
  const problem = adviceForServer(facts)
  if (problem !== null) return fault('database', detail, problem, shown)
  if (major > newestVersion) {
    const advice = `Backline is tested with PostgreSQL up to ${newestVersion}`
    return warning('database', detail, advice, shown)
  }
  return ok('database', detail, shown)
}

async function checkMigrations(connection: Connection, database: DatabaseFacts): Promise<Check> {
  const total = readMigrations().length
  const pending = await pendingMigrations(connection).catch((error) => {
    if (error instanceof MigrationError) return error
    throw error
  })
  if (pending instanceof MigrationError) {
    const advice = 'use the version of Backline that migrated this database'
    return fault('migrations', reasonOf(pending), advice, { total })
  }
  const facts = { total, pending }
  if (pending.length === 0) return ok('migrations', `all ${total} are applied`, facts)
  const rights = adviceForRights(database)
  const right = rights === null ? '' : `${rights}, then `
  const advice = `${right}run ${invocation} migrate, or restart Backline, which also applies migrations`
  return fault(
    'migrations',
    `${counted(pending.length, 'migration')} of ${total} not applied: ${fewOf(pending)}`,
    advice,
    facts,
  )
}

/** One check for the workers of a cluster; none without one. */
async function checkWorkers(db: Database, connection: Connection): Promise<Check[]> {
  const probes = await probeWorkers(db, connection)
  if (probes.length === 0) return []
  const problems = probes.filter(({ problem }) => problem !== null)
  const facts = { workers: probes.map(({ worker, problem }) => ({ worker, problem })) }
  if (problems.length === 0)
    return [ok('workers', `${counted(probes.length, 'worker')} of the cluster behave as needed`, facts)]
  const detail = problems.map(({ worker, problem }) => `${worker}: ${problem}`).join('; ')
  const advice = problems.every(({ isReachable }) => !isReachable)
    ? 'start it, or allow connections to it; see docs/scaling.md'
    : adviceForWorkers
  return [fault('workers', detail, advice, facts)]
}

/** The database reads its clock about half-way between our two readings. */
async function checkClock(db: Database): Promise<Check> {
  const before = Date.now()
  const theirs = await readClock(db)
  const after = Date.now()
  const offsetMs = Math.round(theirs - (before + after) / 2)
  const facts = { offset_ms: offsetMs, round_trip_ms: after - before }
  const tolerated = tolerableOffsetMs + (after - before) / 2
  if (Math.abs(offsetMs) <= tolerated)
    return ok('clock', `${Math.abs(offsetMs)} ms from the database's`, facts)
  const direction = offsetMs > 0 ? 'behind' : 'ahead of'
  const detail = `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${direction} the database's`
  return fault('clock', detail, 'set both machines to network time (NTP)', facts)
}

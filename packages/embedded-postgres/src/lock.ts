import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf, DirectoryInUse } from './error.ts'
import { isAlive } from './process.ts'

/** A server owns the directory while it runs, a command only briefly. */
export type Purpose = 'server' | 'command'

/** The owner of the directory. */
export type Holder = { pid: number; purpose: Purpose }

/** Exclusive ownership of a data directory. */
export type Claim = { release(): void }

const commandPatienceMs = 5_000
const deadHolderPatienceMs = 2_000
const pollMs = 20
const sqliteBusy = 5

/** Keeps the locks from being garbage collected, which would release them. */
const locksHeld = new Set<DatabaseSync>()

// One advisory lock per cluster, in the two-integer key space: "Back", 1.
const lockClass = 0x4261636b
const lockId = 1

/**
 * Claims the directory for this process. The claim is a lock on `backline.lock` that the kernel releases when the
 * process ends. Node has no file locks, so SQLite's is used.
 */
export async function claimDirectory(directory: string, purpose: Purpose): Promise<Claim> {
  const noteFile = path.join(directory, 'backline.pid')
  const startedAtMs = Date.now()
  for (;;) {
    const lock = tryLockFile(path.join(directory, 'backline.lock'))
    if (lock) {
      rmSync(noteFile, { force: true }) // it may be another user's in our directory
      writeFileSync(noteFile, applicationName(purpose))
      locksHeld.add(lock)
      const release = () => {
        if (!locksHeld.delete(lock)) return
        rmSync(noteFile, { force: true })
        lock.close()
      }
      return { release }
    }
    const holder = readNote(noteFile)
    if (Date.now() - startedAtMs >= patienceMs(holder)) throw refusal(directory, holder)
    await sleep(pollMs)
  }
}

function tryLockFile(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma journal_mode = memory; begin exclusive') // no journal file beside the lock
    return database
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null
    throw error
  }
}

function readNote(file: string): Holder | null {
  try {
    return parseApplicationName(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** A note that names no living process is outdated: the new owner is about to write its own. */
function patienceMs(holder: Holder | null): number {
  if (!holder || !isAlive(holder.pid)) return deadHolderPatienceMs
  return holder.purpose === 'command' ? commandPatienceMs : 0
}

/** The error for a directory that another process owns. */
export function refusal(directory: string, holder: Holder | null): DirectoryInUse {
  const who = holder?.purpose === 'command' ? 'a Backline command' : 'another Backline server'
  const pid = holder ? ` (process ${holder.pid})` : ''
  const what = holder?.purpose === 'command' ? 'is using' : 'is already using'
  return new DirectoryInUse(
    `${who}${pid} ${what} ${directory}: stop it first, or set BACKLINE_DATA_DIR to another directory`,
  )
}

/** The application name of the lock's session, so that others can find its process. */
export const applicationName = (purpose: Purpose) => `backline ${purpose} ${process.pid}`

function parseApplicationName(name: string): Holder | null {
  const match = /^backline (server|command) (\d+)$/.exec(name)
  return match ? { purpose: match[1] as Purpose, pid: Number(match[2]) } : null
}

/**
 * Takes the advisory lock of the cluster for the lifetime of the session, in case the lock file was deleted. Returns
 * false if another session holds it.
 */
export async function takeSessionLock(client: pg.Client): Promise<boolean> {
  return waitUntil(async () => {
    const { rows } = await client.query(`select pg_try_advisory_lock(${lockClass}, ${lockId}) as taken`)
    return rows[0].taken
  })
}

/** True once no session holds the lock, false if one keeps it. */
export async function isSessionLockFree(client: pg.Client): Promise<boolean> {
  return waitUntil(async () => (await sessionLockHolder(client)) === null)
}

/** PostgreSQL needs a moment to notice the end of a killed process's session. */
async function waitUntil(condition: () => Promise<boolean>): Promise<boolean> {
  const startedAtMs = Date.now()
  while (!(await condition())) {
    if (Date.now() - startedAtMs >= deadHolderPatienceMs) return false
    await sleep(pollMs)
  }
  return true
}

/** The holder of the cluster's advisory lock. */
export async function sessionLockHolder(client: pg.Client): Promise<Holder | null> {
  const { rows } = await client.query(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = ${lockClass} and objid = ${lockId} and objsubid = 2 and granted`,
  )
  return rows.length > 0 ? parseApplicationName(rows[0].application_name) : null
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** What server and database have used since they started. */
export type Usage = {
  /** Processor time of the server with its threads and processes, in seconds. */
  serverSeconds: number
  /** Processor time of PostgreSQL with all its processes, in seconds. */
  postgresSeconds: number
  /** The length of PostgreSQL's write-ahead log, in bytes. */
  walBytes: number
}

const ticksPerSecond = 100

type Times = { pid: number; parent: number; ownTicks: number; endedTicks: number }

/** Reads what was used, from /proc and PostgreSQL. @param pid of the server */
export async function readUsage(client: pg.Client, dataDir: string, pid: number): Promise<Usage> {
  const [postmaster] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const processes = await allProcesses()
  const postgres = familyOf(processes, Number(postmaster))
  const server = familyOf(processes, pid).filter((each) => !postgres.includes(each))
  const { rows } = await client.query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes")
  return {
    serverSeconds: secondsOf(server),
    postgresSeconds: secondsOf(postgres),
    walBytes: Number(rows[0].bytes),
  }
}

/** A process and all its descendants that are running. */
function familyOf(processes: Times[], pid: number): Times[] {
  const children = processes.filter(({ parent }) => parent === pid)
  return [
    ...processes.filter((each) => each.pid === pid),
    ...children.flatMap((child) => familyOf(processes, child.pid)),
  ]
}

/** Processes that have ended count for their parents. */
const secondsOf = (processes: Times[]) =>
  processes.reduce((sum, { ownTicks, endedTicks }) => sum + ownTicks + endedTicks, 0) / ticksPerSecond

async function allProcesses(): Promise<Times[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(timesOf))
  return found.filter((times) => times !== null)
}

/** The fields of /proc/PID/stat, see proc(5); null if the process has ended. */
async function timesOf(pid: number): Promise<Times | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((i) => Number(fields[i]))
  return { pid, parent: parent!, ownTicks: user! + system!, endedTicks: endedUser! + endedSystem! }
}

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * Local directories of jobs and mails. A process that is killed leaves its directories, which the next one on the same
 * host removes. The processes of containers all have the same id, so that the names also have a text of each process.
 */

const ofHost = `backline-job-${hostname()}-`
const self = randomBytes(4).toString('hex')

/** The path of a directory that does not exist yet, which nobody can guess. Whoever makes it removes it. */
export const newDirectory = (): string =>
  join(tmpdir(), `${ofHost}${process.pid}-${self}-${randomBytes(8).toString('hex')}`)

/** Makes a directory. Whoever asks for it removes it. */
export async function makeDirectory(): Promise<string> {
  const path = newDirectory()
  await mkdir(path, { mode: 0o700 })
  return path
}

export const removeDirectory = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** Removes the directories of processes of this host that have ended. */
export async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(ofHost)) continue
    const [, pid, text] = /^(\d+)-([0-9a-f]{8})-\w+$/.exec(name.slice(ofHost.length)) ?? []
    if (pid === undefined || text === self) continue
    if (Number(pid) === process.pid || !isAlive(Number(pid))) await removeDirectory(join(tmpdir(), name))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // it may belong to another user
  }
}

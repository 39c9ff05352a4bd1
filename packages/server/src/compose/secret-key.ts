import { type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory, orWhen, syncDirectory } from '@backline/embedded-postgres'
import {
  parseSecretKey,
  type SecretBox,
  secretBox,
  secretKeyCheck,
  secretKeyForm,
} from '../platform/kernel/secret-box.ts'
import type { Db } from '../platform/postgres/database.ts'
import { findInstallationSecret, installationSecret } from '../platform/postgres/secrets.ts'
import type { Config } from './config.ts'

/*
 * The key that encrypts secrets in the database: BACKLINE_SECRET_KEY, otherwise `secret.key` in the data directory,
 * which the first start creates. The database contains only a check of it, so that a server with another key refuses
 * to start before it writes secrets that others cannot decrypt.
 */

/** The key cannot be used. The message is one line with a solution, and reveals nothing of the key. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
  readonly reason: string
  readonly advice: string

  constructor(reason: string, advice: string, options?: ErrorOptions) {
    super(`${reason}: ${advice}`, options)
    this.reason = reason
    this.advice = advice
  }
}

/** `source`: the name of the setting or the path of the file. */
export type SecretKey = { key: KeyObject; source: string }

type KeyConfig = Pick<Config, 'secretKey' | 'dataDir'>

const setting = 'BACKLINE_SECRET_KEY'
const checkName = 'secret_key_check'

/** The path of the key file. */
export const secretKeyFile = (dataDir: string): string => path.join(dataDir, 'secret.key')

/**
 * Opens the secret box that all servers of this database share. The first server creates the key, unless it is set.
 * @throws SecretKeyError if the key cannot be used or differs from the one that the database knows
 */
export async function openSecretBox(db: Db, config: KeyConfig): Promise<SecretBox> {
  const found = await findSecretKey(config, await findSecretKeyCheck(db))
  const used = found ?? (await makeKeyFile(config.dataDir))
  const known = await installationSecret(db, checkName, secretKeyCheck(used.key))
  requireMatch(used, known, config) // another server may have stored its own key first
  return secretBox(used.key)
}

/** The check of the key in the database; null before the first start. */
export const findSecretKeyCheck = (db: Db): Promise<Buffer | null> => findInstallationSecret(db, checkName)

/**
 * The configured key; null if it has yet to be created.
 * @param known from `findSecretKeyCheck`; null accepts any key
 * @throws SecretKeyError if the key cannot be used, differs, or is missing
 */
export async function findSecretKey(config: KeyConfig, known: Buffer | null): Promise<SecretKey | null> {
  const { secretKey, dataDir } = config
  const found = secretKey ? { key: secretKey, source: setting } : await readKeyFile(dataDir)
  if (found) requireMatch(found, known, config)
  else if (known) {
    const reason = `the secrets in the database are encrypted with a key, but ${secretKeyFile(dataDir)} does not exist`
    throw new SecretKeyError(reason, adviceToFindKey(config))
  }
  return found
}

function requireMatch({ key, source }: SecretKey, known: Buffer | null, config: KeyConfig): void {
  if (!known || known.equals(secretKeyCheck(key))) return
  const reason = `the secrets in the database are encrypted with another key than the one in ${source}`
  throw new SecretKeyError(reason, adviceToFindKey(config))
}

const adviceToFindKey = ({ secretKey, dataDir }: KeyConfig) =>
  secretKey
    ? `set ${setting} to that key; if a server created it, it is in secret.key in the data directory of that server`
    : `copy secret.key into ${dataDir} from the server that created it or from a backup, or set ${setting} to that key`

async function readKeyFile(dataDir: string): Promise<SecretKey | null> {
  const file = secretKeyFile(dataDir)
  const handle = await open(file).catch(orWhen('ENOENT', null)).catch(unusable(file))
  if (!handle) return null
  try {
    const { mode } = await handle.stat()
    // Windows has no file modes; access lists apply there.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0')
      throw new SecretKeyError(
        `${file} is accessible to other users (mode ${octal})`,
        'make it readable only by its owner (chmod 600)',
      )
    }
    const key = parseSecretKey((await handle.readFile('utf8').catch(unusable(file))).trim())
    if (key) return { key, source: file }
    const advice = `restore it from a backup, or set ${setting}; a key must be ${secretKeyForm}`
    throw new SecretKeyError(`${file} does not contain a secret key`, advice)
  } finally {
    await handle.close()
  }
}

async function makeKeyFile(dataDir: string): Promise<SecretKey> {
  const file = secretKeyFile(dataDir)
  await writeNewKey(file).catch(unusable(file))
  return (await readKeyFile(dataDir))!
}

/**
 * Writes a temporary file and links it into place when it is complete. Readers see a whole key, and concurrent
 * processes use the first one.
 */
async function writeNewKey(file: string): Promise<void> {
  const directory = path.dirname(file)
  await makeDirectory(directory)
  const draft = `${file}.${randomUUID()}`
  try {
    const text = `${randomBytes(32).toString('base64')}\n`
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, file).catch(orWhen('EEXIST', undefined))
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(directory)
}

/** For `promise.catch`: converts system errors to one actionable line. */
const unusable =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    throw new SecretKeyError(
      `cannot use the secret key file ${file} (${error.message})`,
      `run Backline as the user that owns it, or set ${setting}`,
      { cause: error },
    )
  }

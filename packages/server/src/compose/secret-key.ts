import { type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { chown, link, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory, orWhen, syncDirectory } from '@backline/embedded-postgres'
import {
  parseSecretKeys,
  type SecretBox,
  type SecretKeys,
  secretBox,
  secretKeyCheck,
  secretKeyForm,
} from '../platform/kernel/secret-box.ts'
import type { Db } from '../platform/postgres/database.ts'
import {
  deleteInstallationSecret,
  findInstallationSecret,
  installationSecret,
  replaceInstallationSecrets,
} from '../platform/postgres/secrets.ts'
import type { Config } from './config.ts'

/*
 * The key that encrypts secrets in the database: BACKLINE_SECRET_KEY, otherwise `secret.key` in the data directory,
 * which the first start creates. The database contains only a check of it, so that a server with another key refuses
 * to start before it writes secrets that others cannot decrypt.
 *
 * During a rotation (secret-rotation.ts) the setting or the file has two keys. The one whose check the database has is
 * current; both decrypt.
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

/** `source`: the name of the setting or the path of the file. The last key is the newest. */
export type FoundKeys = { keys: KeyObject[]; source: string }

/** The checks in the database; null before the first start, and without a rotation in progress. */
export type KeyChecks = { current: Buffer | null; former: Buffer | null }

export type KeyConfig = Pick<Config, 'secretKeys' | 'dataDir'>

const setting = 'BACKLINE_SECRET_KEY'
const checkName = 'secret_key_check'
/** Exists while secrets may still be encrypted with the former key. */
const formerCheckName = 'secret_key_former_check'

/** The path of the key file. */
export const secretKeyFile = (dataDir: string): string => path.join(dataDir, 'secret.key')

/**
 * Opens the secret box that all servers of this database share. The first server creates the key, unless it is set.
 * @throws SecretKeyError if the key cannot be used or differs from the one that the database knows
 */
export async function openSecretBox(db: Db, config: KeyConfig): Promise<SecretBox> {
  const found = await findSecretKeys(config, await findKeyChecks(db))
  const used = found ?? (await makeKeyFile(config.dataDir))
  await installationSecret(db, checkName, secretKeyCheck(used.keys.at(-1)!))
  const present = async () => {
    const checks = await findKeyChecks(db) // another server may have stored its own key first
    return keysInUse((await findSecretKeys(config, checks))!, checks, config)
  }
  return secretBox(await present(), present)
}

export const findKeyChecks = async (db: Db): Promise<KeyChecks> => ({
  current: await findInstallationSecret(db, checkName),
  former: await findInstallationSecret(db, formerCheckName),
})

/** Makes a key current, in one statement. Until `endRotation` the former one is needed as well. */
export const beginRotation = (db: Db, former: KeyObject, current: KeyObject) =>
  replaceInstallationSecrets(db, [
    { name: checkName, value: secretKeyCheck(current) },
    { name: formerCheckName, value: secretKeyCheck(former) },
  ])

export const endRotation = (db: Db) => deleteInstallationSecret(db, formerCheckName)

/**
 * The configured keys; null if the first has yet to be created.
 * @param checks the key checks of the database; null accepts any key
 * @throws SecretKeyError if a key cannot be used, differs, or is missing
 */
export async function findSecretKeys(config: KeyConfig, checks: KeyChecks | null): Promise<FoundKeys | null> {
  const { secretKeys, dataDir } = config
  const found = secretKeys ? { keys: secretKeys, source: setting } : await readKeyFile(dataDir)
  if (found && checks?.current) keysInUse(found, checks, config)
  else if (!found && checks?.current) {
    const reason = `the secrets in the database are encrypted with a key, but ${secretKeyFile(dataDir)} does not exist`
    throw new SecretKeyError(reason, adviceToFindKey(config))
  }
  return found
}

/** @throws SecretKeyError if the current key is missing, or the former one during a rotation */
export function keysInUse({ keys, source }: FoundKeys, checks: KeyChecks, config: KeyConfig): SecretKeys {
  const keyOf = (check: Buffer) => keys.find((key) => secretKeyCheck(key).equals(check))
  const current = keyOf(checks.current!)
  if (!current) {
    const reason = `the secrets in the database are encrypted with another key than the one in ${source}`
    throw new SecretKeyError(reason, adviceToFindKey(config))
  }
  if (checks.former && !keyOf(checks.former)) {
    throw new SecretKeyError(
      `the rotation of the secret key is not complete, and the former key is not in ${source}`,
      'keep both keys, the newer one last, until backline secrets rotate has ended',
    )
  }
  return { current, keys }
}

const adviceToFindKey = ({ secretKeys, dataDir }: KeyConfig) =>
  secretKeys
    ? `set ${setting} to that key; if a server created it, it is in secret.key in the data directory of that server`
    : `copy secret.key into ${dataDir} from the server that created it or from a backup, or set ${setting} to that key`

async function readKeyFile(dataDir: string): Promise<FoundKeys | null> {
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
    const keys = parseSecretKeys(await handle.readFile('utf8').catch(unusable(file)))
    if (keys) return { keys, source: file }
    const advice = `restore it from a backup, or set ${setting}; a key must be ${secretKeyForm}`
    throw new SecretKeyError(`${file} does not contain a secret key`, advice)
  } finally {
    await handle.close()
  }
}

async function makeKeyFile(dataDir: string): Promise<FoundKeys> {
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
  await throughDraft(file, newKeyLine(), (draft) => link(draft, file).catch(orWhen('EEXIST', undefined)))
}

/** Adds a new key to the file, as its last line, for the same owner. Servers read it when they need it. */
export async function addKeyToFile(dataDir: string): Promise<void> {
  const file = await realpath(secretKeyFile(dataDir))
  const { uid, gid } = await stat(file)
  const text = (await readFile(file, 'utf8')).trimEnd()
  await throughDraft(file, `${text}\n${newKeyLine()}`, async (draft) => {
    await chown(draft, uid, gid)
    await rename(draft, file)
  })
}

const newKeyLine = () => `${randomBytes(32).toString('base64')}\n`

/** Writes a draft that its owner alone can read, has `place` put it where `file` is, and syncs the directory. */
async function throughDraft(
  file: string,
  text: string,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await place(draft)
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(path.dirname(file))
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

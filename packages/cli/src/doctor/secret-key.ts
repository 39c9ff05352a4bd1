import type { Config } from '@backline/server/compose/config.ts'
import {
  findSecretKeys,
  type KeyChecks,
  SecretKeyError,
  secretKeyFile,
} from '@backline/server/compose/secret-key.ts'
import { counted } from '../text.ts'
import { type Check, fault, ok, warning } from './check.ts'

const name = 'secret key'

/**
 * Checks the source of the key and whether it can be used.
 * @param checks the key checks of the database; null if it was not reachable
 */
export async function checkSecretKey(config: Config, checks: KeyChecks | null): Promise<Check> {
  const file = config.secretKeys ? null : secretKeyFile(config.dataDir)
  const known = checks?.current ?? null
  try {
    const found = await findSecretKeys(config, checks)
    const facts = { file, is_recorded: known !== null, keys: found?.keys.length ?? 0 }
    if (!found) return ok(name, `none yet; the first start creates ${file}`, facts)
    const place = file ? `${file}, readable only by its owner` : found.source
    const use = known ? ', which encrypts the secrets in the database' : ''
    if (checks?.former)
      return warning(name, `${place}: a rotation is not complete`, 'run backline secrets rotate', facts)
    const others = found.keys.length - 1
    return ok(name, `${place}${use}${others > 0 ? `; it has ${counted(others, 'further key')}` : ''}`, facts)
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    return fault(name, error.reason, error.advice, { file, is_recorded: known !== null })
  }
}

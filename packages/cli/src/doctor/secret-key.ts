import type { Config } from '@backline/server/compose/config.ts'
import { findSecretKey, SecretKeyError, secretKeyFile } from '@backline/server/compose/secret-key.ts'
import { type Check, fault, ok } from './check.ts'

const name = 'secret key'

/**
 * Checks the source of the key and whether it can be used.
 * @param known the check of the key in the database; null if there is none or it was not reachable
 */
export async function checkSecretKey(config: Config, known: Buffer | null): Promise<Check> {
  const file = config.secretKey ? null : secretKeyFile(config.dataDir)
  const facts = { file, is_recorded: known !== null }
  try {
    const found = await findSecretKey(config, known)
    if (!found) return ok(name, `none yet; the first start creates ${file}`, facts)
    const use = known ? ', which encrypts the secrets in the database' : ''
    return ok(name, file ? `${file}, readable only by its owner${use}` : `${found.source}${use}`, facts)
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error
    return fault(name, error.reason, error.advice, facts)
  }
}

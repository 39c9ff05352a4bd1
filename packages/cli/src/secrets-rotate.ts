import { readConfig } from '@backline/server/compose/config.ts'
import { loadResources } from '@backline/server/compose/resources.ts'
import { rotateSecretKey } from '@backline/server/compose/secret-rotation.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { counted } from './text.ts'

/** An interrupted rotation is completed by the next run. */
export const command = defineCommand({
  description: `Encrypts the secrets in the database with the newest key, while servers run; both keys are valid \
meanwhile. The embedded database gets a new key in secret.key. Servers on DATABASE_URL need both keys first. It takes \
at least 30 seconds, can be interrupted, and is then completed by the next run. See docs/operating.md.`,
  options: {},
  async run({ environment }) {
    const config = readConfig(environment)
    const { sealed, source, formerKeys } = await withDatabase(config, async (db, connection) =>
      rotateSecretKey({ db, connection }, config, await loadResources()),
    )
    const left = `Keep ${formerKeys === 1 ? 'the former key' : `the ${formerKeys} former keys`} with older backups, and remove it from ${source} of every server in an hour: only the last key is used.`
    return {
      json: { sealed, source, former_keys: formerKeys },
      text: `Encrypted ${counted(sealed, 'secret')} with the newest key.\n${left}`,
    }
  },
})

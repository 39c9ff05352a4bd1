import { readConfig } from '@backline/server/compose/config.ts'
import { commandContext } from '@backline/server/compose/contexts.ts'
import { systemClock } from '@backline/server/platform/kernel/clock.ts'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { revokeApiKey } from '@backline/server/support/admin/api-keys/actions.ts'
import { apiKeyTable, findEnvironmentOfKey } from '@backline/server/support/admin/api-keys/queries.ts'
import { apiKeyWire } from '@backline/server/support/admin/api-keys/schema.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { CommandError, UsageError } from './errors.ts'
import { printable } from './text.ts'

/** Revoking a key again changes nothing and is not an error. */
export const command = defineCommand({
  argument: 'ID',
  options: {},
  async run({ argument, environment }) {
    const id = uuidOf('key', argument)
    if (id === null) throw new UsageError(faultOf(argument), 'keys revoke')
    const { key, before } = await withDatabase(readConfig(environment), async (db) => {
      const env = await findEnvironmentOfKey(db, id)
      if (!env) throw new CommandError('not_found', `API key ${argument} does not exist`)
      const before = await apiKeyTable.find(db, env.tenantId, id)
      await transact(commandContext(db, systemClock, env), (change) => revokeApiKey(change, id))
      return { before: before!, key: (await apiKeyTable.find(db, env.tenantId, id))! }
    })
    const name = `${argument} (${printable(key.name)})`
    return {
      json: JSON.parse(apiKeyWire.json(key)),
      text: before.revoked_at ? `${name} was already revoked at ${before.revoked_at}` : `Revoked ${name}`,
    }
  },
})

/** A secret is not repeated: it may still be valid, and logs keep output. */
const faultOf = (argument: string) =>
  argument.startsWith('bkl_')
    ? 'ID must be the id of a key (key_…) as shown by keys list, not its secret'
    : `ID must be the id of a key (key_…), not ${JSON.stringify(argument)}`

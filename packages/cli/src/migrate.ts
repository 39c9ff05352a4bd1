import { readConfig } from '@backline/server/compose/config.ts'
import { migrate, readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import { defineCommand } from './command.ts'
import { missingMigrations, withConnection } from './database.ts'
import { counted } from './text.ts'

export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const applied = await withConnection(readConfig(environment), async (connection) => {
      await missingMigrations(connection)
      return migrate(connection)
    })
    const total = readMigrations().length
    const nothing = `Nothing to apply: ${counted(total, 'migration')} already applied.`
    return {
      json: { applied, total },
      text: applied.length === 0 ? nothing : applied.map((name) => `Applied ${name}`).join('\n'),
    }
  },
})

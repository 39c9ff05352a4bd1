import { readConfig } from '../config.ts'
import { migrate as applyMigrations, readMigrations } from '../db/migrate.ts'
import type { Output } from './command.ts'
import { missingMigrations, withConnection } from './database.ts'
import { counted } from './text.ts'

export async function migrate(): Promise<Output> {
  const applied = await withConnection(readConfig(), async (connection) => {
    await missingMigrations(connection)
    return applyMigrations(connection)
  })
  const total = readMigrations().length
  const nothing = `Nothing to apply: ${counted(total, 'migration')} in place.`
  return {
    json: { applied, total },
    text: applied.length === 0 ? nothing : applied.map((name) => `Applied ${name}`).join('\n'),
  }
}

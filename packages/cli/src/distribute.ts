import { readConfig } from '@backline/server/compose/config.ts'
import { invocation } from '@backline/server/compose/invocation.ts'
import {
  placedTables,
  placeTables,
  type Step,
  stepsFor,
  whyNotPlaced,
} from '@backline/server/platform/postgres/distribution.ts'
import { underMigrationLock } from '@backline/server/platform/postgres/migrate.ts'
import { defineCommand } from './command.ts'
import { missingMigrations, withConnection } from './database.ts'
import { CommandError } from './errors.ts'

/** Places tables that are not in their place, or lists the steps. */
export const command = defineCommand({
  description: `All rows of an environment are stored on one worker, and small tables are copied to every \
server. Tables that are already placed are skipped, so the command \
can be run again. Stop all Backline servers first: tables are locked while their rows move. See docs/scaling.md.`,
  options: {
    'dry-run': { value: '', flag: true, summary: 'Show what would be done without changing anything' },
  },
  async run({ options, environment }) {
    const isDry = options['dry-run'] === true
    const { steps, inPlace } = await withConnection(readConfig(environment), async (connection) => {
      const missing = await missingMigrations(connection)
      return underMigrationLock(connection, async (client) => {
        const reason = await whyNotPlaced(client)
        if (reason !== null) throw new CommandError('not_distributable', reason)
        if (missing.length > 0)
          throw new CommandError(
            'migrations_pending',
            `migrations are not applied: run ${invocation} migrate`,
          )
        const tables = await placedTables(client, true)
        const steps = stepsFor(tables)
        if (!isDry) await placeTables(client, steps)
        return { steps, inPlace: tables.length - steps.length }
      })
    })
    const done = steps.map(({ table, placement }) => ({ table, placement }))
    return { json: { dry_run: isDry, steps: done, in_place: inPlace }, text: textOf(steps, inPlace, isDry) }
  },
})

function textOf(steps: Step[], inPlace: number, isDry: boolean): string {
  if (steps.length === 0) return `Nothing to do: ${inPlace} tables are already placed.`
  const width = Math.max(...steps.map(({ table }) => table.length))
  const lines = steps.map(({ table, placement }) => `${table.padEnd(width)}  ${meaning[placement]}`)
  return [
    ...lines,
    '',
    isDry ? 'Nothing was changed.' : `Placed ${steps.length}; ${inPlace} were already placed.`,
  ].join('\n')
}

const meaning = {
  reference: 'copied to every server',
  distributed: 'distributed by environment',
}

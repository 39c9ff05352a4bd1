import { readConfig } from '../config.ts'
import { placedTables, placeTables, type Step, stepsFor, whyNotPlaced } from '../db/distribution.ts'
import { underMigrationLock } from '../db/migrate.ts'
import { type Input, invocation, type Output } from './command.ts'
import { missingMigrations, withConnection } from './database.ts'
import { CommandError } from './errors.ts'

type DistributeInput = Input<{ 'dry-run': { value: ''; summary: string; flag: true } }>

/** Places what is not in its place yet, or says what that would be. */
export async function distribute({ options }: DistributeInput): Promise<Output> {
  const isDry = options['dry-run'] === true
  const { steps, inPlace } = await withConnection(readConfig(), async (connection) => {
    const missing = await missingMigrations(connection)
    return underMigrationLock(connection, async (client) => {
      const reason = await whyNotPlaced(client)
      if (reason !== null) throw new CommandError('not_distributable', reason)
      if (missing.length > 0)
        throw new CommandError('migrations_pending', `migrations are not applied: run ${invocation} migrate`)
      const tables = await placedTables(client, true)
      const steps = stepsFor(tables)
      if (!isDry) await placeTables(client, steps)
      return { steps, inPlace: tables.length - steps.length }
    })
  })
  const done = steps.map(({ table, placement }) => ({ table, placement }))
  return { json: { dry_run: isDry, steps: done, in_place: inPlace }, text: textOf(steps, inPlace, isDry) }
}

function textOf(steps: Step[], inPlace: number, isDry: boolean): string {
  if (steps.length === 0) return `Nothing to do: ${inPlace} tables are in their places.`
  const width = Math.max(...steps.map(({ table }) => table.length))
  const lines = steps.map(({ table, placement }) => `${table.padEnd(width)}  ${meaning[placement]}`)
  return [
    ...lines,
    '',
    isDry ? 'Nothing was changed.' : `Placed ${steps.length}; ${inPlace} had been before.`,
  ].join('\n')
}

const meaning = {
  reference: 'a copy on every server',
  coordinator: 'on the coordinator',
  distributed: 'spread by environment',
}

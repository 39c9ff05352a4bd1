import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { placeNewTables } from '@backline/server/platform/postgres/distribution.ts'
import pg from 'pg'
import { describeSchema } from '../../scripts/gen/schema-sql.ts'
import { applyMigrations, cloneDatabase, emptyDatabase } from '../databases.ts'
import { installStandIn } from './stand-in.ts'

/** Distributed databases of earlier versions, on the stand-in for Citus. */

/** The first migration whose database can be distributed and then upgraded: Citus refuses the commands of 0028. */
export const oldestCluster = 28

export type Cluster = { client: pg.Client; connection: Connection; drop(): Promise<void> }

const connected = async (connection: Connection): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  await client.connect()
  return client
}

/** Creates a database with the first migrations, and distributes it. */
export async function distributedAt(count: number): Promise<Cluster> {
  const { connection, drop } = await emptyDatabase()
  const client = await connected(connection)
  await applyMigrations(client, count)
  await installStandIn(client)
  await placeNewTables(client)
  const end = async () => {
    await client.end()
    await drop()
  }
  return { client, connection, drop: end }
}

export const schemaOf = describeSchema

/** The schema of an empty database that was never distributed. */
export async function presentSchema(): Promise<string> {
  const { connection, drop } = await cloneDatabase()
  const client = await connected(connection)
  try {
    return await describeSchema(client)
  } finally {
    await client.end()
    await drop()
  }
}

export const placementsOf = async (
  client: pg.Client,
): Promise<{ name: string; method: string; model: string }[]> =>
  (
    await client.query(
      'select logicalrelid::text as name, partmethod as method, repmodel as model from pg_dist_partition order by 1',
    )
  ).rows

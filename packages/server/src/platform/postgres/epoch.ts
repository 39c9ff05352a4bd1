import type pg from 'pg'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

/**
 * Transaction ids order the journal, and they begin anew in another database cluster: data that was dumped here and
 * restored there would be followed by lower ids. A standby that was promoted, or a backup that was replayed to a point
 * in time, goes on in a new timeline of the same cluster and may give ids again. So each cluster and timeline that the
 * data arrives in opens an epoch, which comes first in the journal's order. Called under the migration lock, when a
 * process starts.
 */
export async function openEpoch(client: pg.Client): Promise<void> {
  const { rows: clusters } = await client.query(
    "select system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as id from pg_control_system()",
  )
  const { rows: epochs } = await client.query(
    'select epoch, system_identifier as id from installation_epochs order by epoch desc limit 1',
  )
  const [cluster, latest] = [clusters[0], epochs[0]]
  if (latest?.id === cluster.id) return
  const epoch = Number(latest?.epoch ?? 0) + 1
  await client.query('begin')
  // A default, so that no writer has to know it. DDL takes no parameters; this one is a number of ours.
  await client.query(`alter table events alter column epoch set default ${epoch}`)
  await client.query('insert into installation_epochs (epoch, system_identifier) values ($1, $2)', [
    epoch,
    cluster.id,
  ])
  await client.query('commit')
}

/** The epoch of what is written now. It stays as long as there is a connection to this cluster. */
export async function presentEpoch(db: Db): Promise<number> {
  const [row] = await db.rows<{ epoch: number }>(sql`select max(epoch) as epoch from installation_epochs`)
  return row!.epoch
}

import type pg from 'pg'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

/**
 * Opens an epoch of the journal. Transaction ids order the journal, and they start again in another database cluster:
 * a restored dump would continue with lower ids. A promoted standby or a point-in-time recovery continues in a new
 * timeline and may reuse ids. So each new cluster and timeline opens an epoch, the first part of the journal's order.
 * Called under the migration lock when a process starts.
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
  // A column default, so that writers need not know it. DDL takes no parameters; this is our own number.
  await client.query(`alter table events alter column epoch set default ${epoch}`)
  await client.query('insert into installation_epochs (epoch, system_identifier) values ($1, $2)', [
    epoch,
    cluster.id,
  ])
  await client.query('commit')
}

/** The current epoch. It is constant while a connection to this cluster lasts. */
export async function presentEpoch(db: Db): Promise<number> {
  const [row] = await db.rows<{ epoch: number }>(sql`select max(epoch) as epoch from installation_epochs`)
  return row!.epoch
}

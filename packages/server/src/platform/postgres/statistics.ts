import type pg from 'pg'
import { distributionColumn } from './distribution.ts'

/*
 * A prepared statement keeps the plan of its first executions. Without statistics PostgreSQL assumes that an
 * environment has hardly a row, so that any index that begins with the environment seems as good as the one that finds
 * the row. The plan then reads the whole environment, until the table is analyzed and the plan is made again. With the
 * assumption that all rows are of one environment, plans that are made on empty tables suit full ones
 * (docs/adr/0059-counted-costs.md).
 */

/** The version that can import statistics. Before it, plans are right after the first analysis. */
const importsStatistics = 18_00_00

/** Imports that assumption for the own tables that were never analyzed. ANALYZE replaces it once a table has rows. */
export async function assumeOneEnvironment(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::integer as version,
    exists (select from pg_extension where extname = 'citus') as "isCluster"`)
  const { version, isCluster } = rows[0]
  if (version < importsStatistics || isCluster) return
  await client.query(
    `select pg_restore_attribute_stats('schemaname', current_schema()::text, 'relname', c.relname::text, 'attname', $1::text,
        'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = $1
      where c.relkind = 'r' and pg_has_role(c.relowner, 'usage') and c.relnamespace = current_schema()::regnamespace
        and not exists (select from pg_index i
          where i.indrelid = c.oid and i.indisunique and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)
        and not exists (select from pg_stats s
          where s.schemaname = current_schema() and s.tablename = c.relname and s.attname = $1)`,
    [distributionColumn],
  )
}

import type pg from 'pg'

/** How a table is spread over the servers of a cluster. */
export type Placement = 'reference' | 'distributed'

export type Step = { table: string; placement: Placement }

type Table = Step & { present: Placement | 'other' | null; refersTo: string[] }

/** Rows of one environment are together on one server: all distributed tables are co-located with the first. */
const distributionColumn = 'tenant_id'

/**
 * Every table, from the catalog: rows are distributed by the tenant where that is part of the primary key; a table without
 * it is small and read everywhere, hence a copy on each server.
 */
const tablesQuery = `select c.relname as table,
    case when exists (select from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary and k.attname = $1) then 'distributed' else 'reference' end as placement,
    array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid order by 1) as "refersTo"
  from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`

export async function tables(client: pg.Client): Promise<Table[]> {
  return (await client.query(tablesQuery, [distributionColumn])).rows
}

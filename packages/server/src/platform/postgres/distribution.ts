import type pg from 'pg'

/*
 * The placement of tables when the database is a Citus cluster. docs/adr/0008-one-server-or-citus.md has the reasons
 * and the measurements.
 */

/** Copied to every server, or distributed by environment. */
export type Placement = 'reference' | 'distributed'

/** A table of the catalog. `present` is null if it is not placed; `refersTo` lists its foreign keys. */
export type PlacedTable = {
  name: string
  placement: Placement
  present: Placement | null
  refersTo: string[]
}

export const distributionColumn = 'tenant_id'

const tablesQuery = (present: string) => `select c.relname as name,
    case when not exists (select from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary and k.attname = $1) then 'reference'
      else 'distributed' end as placement,
    ${present} as present,
    array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid order by 1) as "refersTo"
  from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) order by 1`

const presentPlacement = `(select case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference' end
    from pg_dist_partition p where p.logicalrelid = c.oid)`

/** All tables with their placement, derived from the catalog. A table has none until it has its primary key. */
export async function placedTables(client: pg.Client, isCluster: boolean): Promise<PlacedTable[]> {
  const query = tablesQuery(isCluster ? presentPlacement : 'null')
  return (await client.query(query, [distributionColumn])).rows
}

/** Tables cannot be placed before an operator decides or reverts something. */
export class PlacementError extends Error {
  override name = 'PlacementError'
}

export type Step = { table: string; placement: Placement; statement: string; values: string[] }

/**
 * The remaining steps, ordered so that every table follows those that its foreign keys refer to.
 * @throws PlacementError for a table that an operator has placed elsewhere
 * @throws Error for a cycle of foreign keys, and for one that refers to another server
 */
export function stepsFor(tables: PlacedTable[]): Step[] {
  const steps: Step[] = []
  let first = tables.find(({ present }) => present === 'distributed')?.name ?? null
  for (const table of inOrder(tables)) {
    const { name, placement, present, refersTo } = table
    if (present === placement) continue
    if (present)
      throw new PlacementError(
        `${name} is ${present} and must be ${placement}: run select undistribute_table('${name}') first`,
      )
    for (const other of refersTo) {
      const target = tables.find((each) => each.name === other)
      if (target && target.placement !== placement && target.placement !== 'reference')
        throw new Error(`${name} (${placement}) refers to ${other} (${target.placement})`)
    }
    steps.push(stepFor(name, placement, first))
    if (placement === 'distributed') first ??= name
  }
  return steps
}

function stepFor(table: string, placement: Placement, neighbour: string | null): Step {
  const step = { table, placement }
  if (placement === 'reference')
    return { ...step, statement: 'select create_reference_table($1::regclass)', values: [table] }
  return {
    ...step,
    statement: 'select create_distributed_table($1::regclass, $2, colocate_with => $3)',
    values: [table, distributionColumn, neighbour ?? 'none'],
  }
}

/** Reference tables first; each table after those that it refers to. */
function inOrder(tables: PlacedTable[]): PlacedTable[] {
  const ordered: PlacedTable[] = []
  const visit = (table: PlacedTable, from: string[]) => {
    if (ordered.includes(table)) return
    if (from.includes(table.name)) throw new Error(`Circular foreign keys: ${from.join(', ')}`)
    for (const name of table.refersTo) {
      const other = tables.find((each) => each.name === name)
      if (other) visit(other, [...from, table.name])
    }
    ordered.push(table)
  }
  for (const placement of ['reference', 'distributed'])
    for (const table of tables) if (table.placement === placement) visit(table, [])
  return ordered
}

/** The reason why this connection cannot place tables; null if it can. */
export async function whyNotPlaced(client: pg.Client): Promise<string | null> {
  if (!(await hasCitus(client)))
    return 'the extension citus is not installed: a single PostgreSQL server needs no distribution; on a cluster, first run create extension citus on every server'
  const { rows } = await client.query(
    `select (select count(*) from pg_dist_local_group where groupid <> 0) > 0 as "isWorker",
      (select count(*) from pg_dist_node where groupid = 0) > 0 as "knowsCoordinator",
      (select count(*) from pg_dist_node where groupid <> 0 and isactive and shouldhaveshards) > 0 as "hasWorkers"`,
  )
  const [{ isWorker, knowsCoordinator, hasWorkers }] = rows
  if (isWorker) return 'DATABASE_URL refers to a worker of the cluster; set it to the coordinator'
  if (!knowsCoordinator)
    return "the coordinator is not registered in the cluster: run select citus_set_coordinator_host('HOST', PORT) first"
  return hasWorkers ? null : "the cluster has no worker: run select citus_add_node('HOST', PORT) first"
}

/**
 * Runs each step as its own transaction, so that an interrupted run can continue.
 * @throws PlacementError that names the step
 */
export async function placeTables(client: pg.Client, steps: Step[]): Promise<void> {
  for (const [done, { table, statement, values }] of steps.entries())
    await client.query(statement, values).catch((cause) => {
      const rest = `${done} of ${steps.length} tables are placed; run the command again to continue`
      throw new PlacementError(`placing ${table} failed: ${cause.message}; ${rest}`, { cause })
    })
}

/** True if rows are on workers, so that a new table must be placed before a distributed one refers to it. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rowCount } = await client.query("select from pg_dist_partition where partmethod = 'h' limit 1")
  return rowCount === 1
}

/** Places the tables of a distributed database that are not placed, within the transaction of the caller if any. */
export const placeNewTables = async (client: pg.Client): Promise<void> =>
  placeTables(client, stepsFor(await placedTables(client, true)))

const hasCitus = async (client: pg.Client): Promise<boolean> =>
  (await client.query("select from pg_extension where extname = 'citus'")).rowCount === 1

import type { Connection } from '@backline/server/platform/postgres/database.ts'
import {
  distributionColumn,
  type Placement,
  placedTables,
} from '@backline/server/platform/postgres/distribution.ts'
import pg from 'pg'
import { parseTree, type Tree } from './node-tree.ts'

/** The catalog data that the rules need. */
export type Catalog = {
  /** Tables by oid. `tenantColumn` is the number of the distribution column; null without one. */
  tables: Map<string, { name: string; placement: Placement; tenantColumn: string | null }>
  /** Functions by oid: name and volatility (`i`mmutable, `s`table, `v`olatile). */
  functions: Map<string, { name: string; volatility: string }>
  /** Types by oid: the function that parses a value from text. */
  inputs: Map<string, string>
}

export type Analyst = {
  catalog: Catalog
  /** Returns the tree of a statement after analysis and before planning. Parameter n is field n of parameter 1. */
  treeOf(text: string): Promise<Tree>
  close(): Promise<void>
}

const columnsQuery = `select c.oid::text, c.relname as name,
    (select k.attnum::text from pg_attribute k where k.attrelid = c.oid and k.attname = $1) as "tenantColumn"
  from pg_class c where c.relkind in ('r', 'v') and c.relnamespace = current_schema()::regnamespace`

/**
 * Opens an analyst: PostgreSQL analyses each statement as the body of a function, and stores the tree. Its parameters
 * are one row, because a function has at most a hundred and a statement may have more.
 */
export async function openAnalyst(connection: Connection): Promise<Analyst> {
  const client = new pg.Client(connection)
  await client.connect()
  const placements = new Map(
    (await placedTables(client, false)).map(({ name, placement }) => [name, placement]),
  )
  const tables = (await client.query(columnsQuery, [distributionColumn])).rows.map((row) => ({
    ...row,
    placement: placements.get(row.name)!,
  }))
  const functions = await client.query(
    'select oid::text, proname as name, provolatile as volatility from pg_proc',
  )
  const inputs = await client.query('select oid::text, typinput::oid::text as input from pg_type')
  // biome-ignore lint/suspicious/noExplicitAny: rows of the catalog
  const byOid = (rows: any[]) => new Map(rows.map((row) => [row.oid, row]))

  async function treeOf(text: string): Promise<Tree> {
    await client.query('begin')
    try {
      await client.query(`prepare analysed as ${text}`)
      const { rows } = await client.query(
        "select parameter_types::text[] as types from pg_prepared_statements where name = 'analysed'",
      )
      const types: string[] = rows[0].types
      if (types.length > 0)
        await client.query(
          `create type pg_temp.given as (${types.map((type, i) => `p${i + 1} ${type}`).join(', ')})`,
        )
      const body = text.replace(/\$(\d+)/g, '($$1).p$1')
      await client.query(
        `create function pg_temp.analysed(${types.length > 0 ? 'pg_temp.given' : ''}) returns void language sql begin atomic ${body}; end`,
      )
      const found = await client.query(
        "select prosqlbody::text as tree from pg_proc where proname = 'analysed' and pronamespace = pg_my_temp_schema()",
      )
      return parseTree(found.rows[0].tree)
    } finally {
      await client.query('rollback')
      await client.query('deallocate all')
    }
  }

  return {
    catalog: {
      tables: byOid(tables),
      functions: byOid(functions.rows),
      inputs: new Map(inputs.rows.map(({ oid, input }) => [oid, input])),
    },
    treeOf,
    close: () => client.end(),
  }
}

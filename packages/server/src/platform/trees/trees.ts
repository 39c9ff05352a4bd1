import type { Db } from '../postgres/database.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'
import type { Change } from '../unit-of-work/change.ts'

/*
 * Rows with a `parent_id` form a tree without cycles and with a limited depth. Guarding each row by its version does
 * not ensure this, because two requests can break it without writing a row that the other has read:
 * - A cycle by opposite moves. One request moves A below B, another B below A. Each writes only its own row. With
 *   levels in between (A below B's child, B below A's child), neither even names the other's row.
 * - An excess level by write skew. A row's level depends on all rows above it, its height on all rows below. One
 *   request moves a subtree down while another adds a level at its bottom. Each is valid by the rows that it read.
 * Guarding all rows read would lock whole branches, and cannot lock rows that do not exist yet. So each tree has one
 * version. A change of the structure reads it first and increments it on commit. The slower of two concurrent changes
 * conflicts and runs again. Names, positions and the like leave it alone. So do new roots and deletions, which cannot
 * break the structure (the foreign key protects parents). Tags use only the version, to serialize merges.
 */

/** A table whose rows have `id`, `parent_id` and `name`. */
export type Tree = { table: string; maxLevels: number }

type TreeVersion = { tree: string; version: number }

/**
 * Begins a change of a tree's structure: a row below a parent, or with another parent than before. Call it once per
 * change, before reading rows of the tree; the guard covers only later reads.
 */
export async function restructure(change: Change, table: string): Promise<void> {
  const name = `tree/${table}`
  await change.lock(name)
  change.effects.claim(name)
  const version = await treeVersion(change.db, change.tenantId, table)
  change.effects.writeExpecting(raiseTree, { tree: table, version })
}

/** The number of structural changes of a tree. */
async function treeVersion(db: Db, tenantId: string, tree: string): Promise<number> {
  const row = await db.maybe<{ version: number }>(
    sql`select version from tree_versions where tenant_id = ${tenantId} and tree = ${tree}`,
  )
  return row?.version ?? 0
}

/** Increments the version of each tree that still has the version that was read. Returns one row for each. */
const raiseTree = (tenantId: string, trees: TreeVersion[]): Sql =>
  sql`insert into tree_versions (tenant_id, tree, version) values ${join(
    trees.map(({ tree, version }) => sql`(${tenantId}, ${tree}, ${version + 1})`),
    comma,
  )} on conflict (tenant_id, tree) do update set version = excluded.version
    where tree_versions.version = excluded.version - 1 returning 1`

/**
 * The field error of moving a row below a parent; null if the move is valid.
 * @param id the row, which moves with its descendants; null for a new row
 */
export async function whyNotBelow(
  { db, tenantId }: Change,
  { table, maxLevels }: Tree,
  id: string | null,
  parentId: string,
): Promise<string | null> {
  const tree = identifier(table)
  const above = await db.rows<{ id: string }>(sql`with recursive above (id, parent_id, level) as (
      select id, parent_id, 1 from ${tree} where tenant_id = ${tenantId} and id = ${parentId}
      union all
      select t.id, t.parent_id, above.level + 1 from ${tree} t join above on t.id = above.parent_id
        where t.tenant_id = ${tenantId} and above.level < ${maxLevels})
    select id from above`)
  if (above.some((row) => row.id === id)) return 'must not be the object itself or one of its descendants'
  const height = id === null ? 1 : await heightOf(db, tenantId, tree, id, maxLevels)
  return above.length + height > maxLevels ? `must not make the tree deeper than ${maxLevels} levels` : null
}

/** The number of levels of a row and its descendants. */
async function heightOf(db: Db, tenantId: string, tree: Sql, id: string, maxLevels: number): Promise<number> {
  const [row] = await db.rows<{ height: number }>(sql`with recursive below (id, level) as (
      select id, 1 from ${tree} where tenant_id = ${tenantId} and id = ${id}
      union all
      select t.id, below.level + 1 from ${tree} t join below on t.parent_id = below.id
        where t.tenant_id = ${tenantId} and below.level < ${maxLevels})
    select coalesce(max(level), 1) as height from below`)
  return row!.height
}

/** The names from the root to a row, including its own: a `joined` expression of the tree's table. */
export const pathIn = ({ table, maxLevels }: Tree) => {
  const tree = identifier(table)
  return (tenantId: string): Sql =>
    sql`array(with recursive above (name, parent_id, level) as (
      select ${tree}.name, ${tree}.parent_id, 1
      union all
      select t.name, t.parent_id, above.level + 1 from ${tree} t join above on t.id = above.parent_id
        where t.tenant_id = ${tenantId} and above.level < ${maxLevels})
    select name from above order by level desc)`
}

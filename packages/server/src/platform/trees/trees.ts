import type { Db } from '../postgres/database.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'
import type { Change } from '../unit-of-work/change.ts'

/*
 * Rows with a `parent_id` make a tree without cycles and of a limited depth. To guard each row by its version, as other
 * changes do, would not keep it so, because two requests can break it without writing a row that the other has read:
 * - A cycle by opposite moves. One puts A below B while another puts B below A. Each writes its own row alone; with
 *   some levels between, so that A goes below B's child and B below A's child, neither even names the other's row.
 * - A level too deep by write skew. A row's level hangs on all above it, its height on all below. One moves a subtree
 *   down while another adds a level at its foot: each is right by what it read, and no row changed that it read.
 * Guarding all that was read would lock whole branches, and could not lock the rows that are not there yet. So each
 * tree has one version, which whoever changes its structure reads first and raises with the change: of two at one time
 * the slower finds it raised, and is computed anew. Names, positions and the like, which change more often, leave it
 * alone, and so do new roots and deletions, which cannot break anything (the foreign key sees to parents).
 * Tags use the version alone: merges take turns by it.
 */

/** A tree is a table whose rows have `id`, `parent_id` and `name`. */
export type Tree = { table: string; maxLevels: number }

type TreeVersion = { tree: string; version: number }

/**
 * Begins a change of a tree's structure: a row below a parent, or with another parent than before. To be called once
 * in such a change and before anything of the tree is read, as the change holds only for what was read after.
 */
export async function restructure(change: Change, table: string): Promise<void> {
  const name = `tree/${table}`
  await change.lock(name)
  change.effects.claim(name)
  const version = await treeVersion(change.db, change.tenantId, table)
  change.effects.writeExpecting(raiseTree, { tree: table, version })
}

/** How often the structure of a tree has changed. */
async function treeVersion(db: Db, tenantId: string, tree: string): Promise<number> {
  const row = await db.maybe<{ version: number }>(
    sql`select version from tree_versions where tenant_id = ${tenantId} and tree = ${tree}`,
  )
  return row?.version ?? 0
}

/** Raises the version of each tree that still has the one that was read, and returns one for each. */
const raiseTree = (tenantId: string, trees: TreeVersion[]): Sql =>
  sql`insert into tree_versions (tenant_id, tree, version) values ${join(
    trees.map(({ tree, version }) => sql`(${tenantId}, ${tree}, ${version + 1})`),
    comma,
  )} on conflict (tenant_id, tree) do update set version = excluded.version
    where tree_versions.version = excluded.version - 1 returning 1`

/**
 * Why a row cannot be put below a parent, as a field error tells it; null when it can.
 * @param id the row, which takes along what is below it; null for one that is new
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

/** The levels of a row and what is below it. */
async function heightOf(db: Db, tenantId: string, tree: Sql, id: string, maxLevels: number): Promise<number> {
  const [row] = await db.rows<{ height: number }>(sql`with recursive below (id, level) as (
      select id, 1 from ${tree} where tenant_id = ${tenantId} and id = ${id}
      union all
      select t.id, below.level + 1 from ${tree} t join below on t.parent_id = below.id
        where t.tenant_id = ${tenantId} and below.level < ${maxLevels})
    select coalesce(max(level), 1) as height from below`)
  return row!.height
}

/** The names from the root down to a row, its own last: a `joined` expression of the tree's table. */
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

import type { Db, RowSource } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { tokenHolderOf } from '../../vocabulary/principal.ts'

/** The person that an end user's id belongs to after merges. */
export type Person = { id: string; name: string | null }

type Found = { id: string; person_id: string; name: string | null }

const read = (db: Db, tenantId: string, ids: string[]): Promise<Found[]> =>
  db.rows(sql`select stored.id, coalesce(target.id, stored.id) as person_id,
      case when target.id is null then stored.name else target.name end as name
    from end_users stored left join end_users target on target.tenant_id = ${tenantId} and target.id = stored.merged_into_id
    where stored.tenant_id = ${tenantId} and stored.id = any(${ids}::uuid[])`)

const byId: RowSource<Found> = {
  one: async (db, tenantId, id) => (await read(db, tenantId, [id]))[0] ?? null,
  many: read,
}

/** Concurrent requests share one statement. */
export async function findPerson(db: Db, tenantId: string, id: string): Promise<Person | null> {
  const found = await db.reads.find(byId, db, tenantId, id)
  return found && { id: found.person_id, name: found.name }
}

/** The person who asks. */
export type Viewer = Person & {
  /** The only conversation that the session may see; null for all of the person. */
  only: string | null
}

export async function viewerOf(ctx: Ctx): Promise<Viewer> {
  const { id, conversationId } = tokenHolderOf(ctx)!
  const person = await findPerson(ctx.db, ctx.env.tenantId, id)
  return { ...(person ?? { id, name: null }), only: conversationId }
}

import type { Db } from '@backline/server/platform/postgres/database.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { raiseHead } from '@backline/server/platform/unit-of-work/events.ts'

/** Appends copies of the newest event of an environment with new ids to its journal, in one transaction. */
export async function appendCopies(
  db: Pick<Db, 'write'>,
  tenantId: string,
  count: number,
  type: string | null = null,
): Promise<void> {
  await db.write(sql`with head as (${raiseHead(tenantId, count, 0)})
    insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
      actor_type, actor_id, operator_id, request_id, ip, user_agent, object, previous, audited)
    select tenant_id, ((select position from head) - ${count}::bigint + n)::text::xid8, gen_random_uuid(), coalesce(${type}, type),
      created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, ip,
      user_agent, object, previous, audited
    from (select * from events where tenant_id = ${tenantId} order by epoch desc, position desc, ordinal desc limit 1) newest,
      generate_series(1, ${count}::integer) n`)
}

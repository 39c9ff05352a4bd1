import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { succeeded } from '../desk.ts'
import type { Service, World } from '../harness.ts'

const madeId = (tenantId: string, kind: string): Sql =>
  sql`(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(${`${tenantId} ${kind}`} || n), 1, 3)
    || '8' || substr(md5(${`${tenantId} ${kind}`} || n), 4, 15))::uuid`

/** A new environment with 100,000 end users, 1,000 tags, 200 operators who are online, and 50 views. */
export async function largeWorld(api: Service): Promise<World> {
  const world = await api.world()
  const { tenantId } = world.environments.test
  await api.db.write(sql`insert into end_users (tenant_id, id, external_id, name, name_key, emails, phones, company_ids, metadata,
      created_at, updated_at, version)
    select ${tenantId}, ${madeId(tenantId, 'end user')}, 'person_' || n, 'Person ' || n, '0person ' || n, '[]', '{}', '{}', '{}',
      now(), now(), 1 from generate_series(1, 100000) n`)
  await api.db.write(sql`insert into tags (tenant_id, id, name, name_key, archived, created_at, updated_at, version)
    select ${tenantId}, ${madeId(tenantId, 'tag')}, 'tag ' || n, 'tag ' || n, false, now(), now(), 1
    from generate_series(1, 1000) n`)
  await api.db.write(sql`insert into operators (tenant_id, id, name, name_key, email, email_key, role, archived, metadata, status,
      status_since, offline_by_hand, created_at, updated_at, version)
    select ${tenantId}, ${madeId(tenantId, 'operator')}, 'Operator ' || n, 'operator ' || n, 'operator' || n || '@example.com',
      'operator' || n || '@example.com', 'agent', false, '{}', 'online', now(), false, now(), now(), 1
    from generate_series(1, 200) n`)
  const filter = { field: 'status', op: 'is', value: 'open' }
  for (let i = 0; i < 50; i++) succeeded(await world.test.post('/v1/views', { name: `View ${i}`, filter }))
  return world
}

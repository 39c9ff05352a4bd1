import type pg from 'pg'
import type { Desk } from './growth-data.ts'

/** The size of a desk; operators are distributed evenly over departments. */
export type DeskSize = { departments: number; operators: number; tags: number }

/** A UUIDv7 in SQL: 48 bits of time, version, random. For statements of this session. */
export const defineIds = (client: pg.Client) =>
  client.query(`create function pg_temp.made_id(at timestamptz, seed text) returns uuid language sql as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(seed), 1, 3)
      || '8' || substr(md5(seed), 4, 15))::uuid $$`)

/** Departments with round robin, operators who are online without a capacity limit, tags. */
export async function fillDesk(client: pg.Client, tenantId: string, size: DeskSize): Promise<void> {
  const { departments, operators, tags } = size
  await client.query(
    `insert into departments (tenant_id, id, name, name_key, assignment, archived, metadata, created_at, updated_at, version)
     select $1::uuid, pg_temp.made_id(now(), $1 || ' department ' || n), 'Department ' || n, 'department ' || n,
       '{"strategy":"round_robin","max_open_per_operator":null}', false, '{}', now(), now(), 1
     from generate_series(1, $2::integer) n`,
    [tenantId, departments],
  )
  await client.query(
    `insert into operators (tenant_id, id, name, name_key, email, email_key, role, archived, metadata, status, status_since,
       offline_by_hand, created_at, updated_at, version)
     select $1::uuid, pg_temp.made_id(now(), $1 || ' operator ' || n), 'Operator ' || n, 'operator ' || n,
       'operator' || n || '@example.com', 'operator' || n || '@example.com', 'agent', false, '{}', 'online', now(),
       false, now(), now(), 1
     from generate_series(1, $2::integer) n`,
    [tenantId, operators],
  )
  await client.query(
    `insert into department_members (tenant_id, department_id, operator_id, turn, created_at)
     select $1, d.id, o.id, 0, now()
     from ${numbered('departments')} d join ${numbered('operators')} o on o.n % $2::integer = d.n`,
    [tenantId, departments],
  )
  await client.query(
    `insert into tags (tenant_id, id, name, name_key, archived, created_at, updated_at, version)
     select $1::uuid, pg_temp.made_id(now(), $1 || ' tag ' || n), 'tag ' || n, 'tag ' || n, false, now(), now(), 1
     from generate_series(1, $2::integer) n`,
    [tenantId, tags],
  )
  await client.query('vacuum analyze departments, operators, department_members, tags')
}

/** The departments, operators and tags of an environment, which the first call creates. */
export async function deskOf(
  client: pg.Client,
  url: string,
  kind: 'live' | 'test',
  apiKey: string,
  size: DeskSize,
): Promise<Desk> {
  const { rows: environments } = await client.query('select id from environments where kind = $1', [kind])
  const tenantId: string = environments[0].id
  const { rows: present } = await client.query('select 1 from departments where tenant_id = $1 limit 1', [
    tenantId,
  ])
  if (present.length === 0) {
    await fillDesk(client, tenantId, size)
    const response = await fetch(`${url}/v1/hold_reasons`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'the-hold-reason',
      },
      body: JSON.stringify({ name: 'Bank' }),
    })
    if (!response.ok) throw new Error(`POST /v1/hold_reasons: ${await response.text()}`)
  }
  const { rows: places } = await client.query(
    'select department_id as "departmentId", operator_id as "operatorId" from department_members where tenant_id = $1 order by 1, 2',
    [tenantId],
  )
  const { rows: tags } = await client.query('select id, name from tags where tenant_id = $1 order by id', [
    tenantId,
  ])
  const { rows: reasons } = await client.query('select id from hold_reasons where tenant_id = $1', [tenantId])
  return { tenantId, places, tags, holdReasonId: reasons[0].id }
}

/** The numbered rows of a tenant's table, starting with 0. */
const numbered = (table: 'departments' | 'operators' | 'tags') =>
  `(select id, row_number() over (order by id) - 1 as n from ${table} where tenant_id = $1)`

/** The member of a department that conversation `n` is assigned to. */
const places = `(select department_id, operator_id, row_number() over (order by operator_id) - 1 as n
  from department_members where tenant_id = $1)`

/**
 * Distributes a tenant's conversations: one in five is open with an operator, one in five was, one in five has two
 * tags.
 */
export async function spreadConversations(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(
    `with each as (select id, row_number() over (order by id) as n from conversations where tenant_id = $1)
     update conversations c set department_id = p.department_id, assignee_id = p.operator_id, assignment_strategy = 'round_robin',
       assignment_reason = 'Next in turn', assigned_at = c.created_at, awaits_routing = false,
       status = case each.n % 5 when 0 then 'open' else 'closed' end, waiting_on = case each.n % 5 when 0 then 'operator' end,
       waiting_since = case each.n % 5 when 0 then c.created_at end, closed_at = case each.n % 5 when 1 then c.created_at end
     from each join ${places} p on p.n = each.n / 5 % (select count(*) from ${places} all_places)
     where each.n % 5 in (0, 1) and c.tenant_id = $1 and c.id = each.id`,
    [tenantId],
  )
  await client.query(
    `with each as (select id, row_number() over (order by id) as n from conversations where tenant_id = $1),
       tag as (select array_agg(id order by n) as ids, count(*)::integer as count from ${numbered('tags')} t)
     update conversations c
     set tag_ids = array[tag.ids[1 + each.n % tag.count], tag.ids[1 + (each.n + tag.count / 2) % tag.count]]
     from each, tag where each.n % 5 = 2 and c.tenant_id = $1 and c.id = each.id`,
    [tenantId],
  )
  await client.query(
    `insert into conversation_tags (tenant_id, tag_id, conversation_id)
     select $1, unnest(tag_ids), id from conversations where tenant_id = $1`,
    [tenantId],
  )
  await countLoads(client, tenantId)
  await client.query('vacuum analyze conversations, conversation_tags, operators, operator_loads')
}

/** Recomputes the counters of open conversations. */
async function countLoads(client: pg.Client, tenantId: string): Promise<void> {
  const open = `conversations where tenant_id = $1 and assignee_id is not null and status in ('new', 'open', 'pending')`
  await client.query(
    `insert into operator_loads (tenant_id, operator_id, department_id, open)
     select $1, assignee_id, department_id, count(*) from ${open} group by assignee_id, department_id`,
    [tenantId],
  )
  await client.query(
    `update operators o set open_conversations = c.count
     from (select assignee_id, count(*) from ${open} group by assignee_id) c where o.tenant_id = $1 and o.id = c.assignee_id`,
    [tenantId],
  )
}

/** Creates further environments. @returns their ids */
export async function makeEnvironments(client: pg.Client, count: number): Promise<string[]> {
  const { rows } = await client.query(
    `with made as (insert into workspaces (id, name, created_at)
       select gen_random_uuid(), 'Desk ' || gen_random_uuid(), now() from generate_series(1, $1::integer) returning id)
     insert into environments (id, workspace_id, kind, auto_close_after_seconds, event_retention_days, created_at, updated_at, version)
     select gen_random_uuid(), id, 'live', 259200, 90, now(), now(), 1 from made returning id`,
    [count],
  )
  const ids = rows.map(({ id }) => id)
  await client.query('insert into journal_heads select id, 0 from unnest($1::uuid[]) id', [ids])
  return ids
}

/**
 * Copies of a conversation created through the API, on hold and with operators, with a reason that resumes them.
 * Their holds have ended, but nothing is scheduled yet.
 */
export async function holdConversations(
  client: pg.Client,
  tenantId: string,
  count: number,
  columns: string[],
): Promise<void> {
  const { rows } = await client.query(
    `insert into hold_reasons (tenant_id, id, name, name_key, waiting_on, pauses_sla, resumes_on_reply, requires_note,
       on_expiry, archived, created_at, updated_at, version)
     values ($1, gen_random_uuid(), 'Partner', 'partner', 'third_party', true, true, false, 'resume', false, now(), now(), 1)
     returning id`,
    [tenantId],
  )
  const made: Record<string, string> = {
    tenant_id: '$1',
    id: `pg_temp.made_id(made.at, $1 || ' held ' || made.n)`,
    created_at: 'made.at',
    updated_at: 'made.at',
    status: `'on_hold'`,
    department_id: 'p.department_id',
    assignee_id: 'p.operator_id',
    awaits_routing: 'false',
    waiting_on: `'third_party'`,
    hold_reason_id: '$3::uuid',
    hold_since: 'made.at',
    hold_until: `made.at + interval '1 hour'`,
  }
  await client.query(
    `insert into conversations (${columns.join(', ')}) select ${columns.map((name) => made[name] ?? `c.${name}`).join(', ')}
     from (select * from conversations where tenant_id <> $1 and status = 'new' limit 1) c,
       (select n, date_trunc('milliseconds', now() - interval '2 hours' - n * interval '7 ms') as at
        from generate_series(1, $2::integer) n) made
       join ${places} p on p.n = made.n % (select count(*) from ${places} all_places)`,
    [tenantId, count, rows[0].id],
  )
  await client.query(
    `insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, since, until)
     select tenant_id, id, gen_random_uuid(), hold_reason_id, hold_since, hold_until
     from conversations where tenant_id = $1 and status = 'on_hold'`,
    [tenantId],
  )
}

/** Schedules the ends of all holds, all in the past, and wakes the loop. */
export const appointExpiries = (client: pg.Client) =>
  client.query(`with appointed as (insert into due_work (tenant_id, duty, subject_id, due_at)
      select tenant_id, 'hold_expiry', id, hold_until from conversations where status = 'on_hold' returning 1)
    select pg_notify('backline', 'due') from (select count(*) from appointed) counted`)

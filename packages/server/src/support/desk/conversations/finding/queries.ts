import type { Instant } from '../../../../platform/kernel/clock.ts'
import { comma, join, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { clockNames } from '../../../sla/clocks/clocks.ts'

/** The statuses of SLA clocks, the worst first. */
export const slaStatuses = ['breached', 'running', 'paused', 'met', 'cancelled'] as const

/** The id of the end user of a conversation, after merges. */
export const personId = (tenantId: string): Sql =>
  sql`(select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = ${tenantId} and stored.id = conversations.end_user_id)`

/** Condition: one of the rows of the person, the end user and those merged into it, meets a condition. */
export const someRowOfPerson = (tenantId: string, condition: Sql): Sql =>
  sql`exists (select 1 from (select ${personId(tenantId)} as id) person cross join lateral (
      select * from end_users own where own.tenant_id = ${tenantId} and own.id = person.id
      union all select * from end_users alias where alias.tenant_id = ${tenantId} and alias.merged_into_id = person.id) one
    where ${condition})`

/** The value of a column of the end user, after merges. */
export const ofPerson = (tenantId: string, value: Sql): Sql =>
  sql`(select ${value} from end_users person where person.tenant_id = ${tenantId} and person.id = ${personId(tenantId)})`

/** Condition: the end user, after merges, meets a condition. */
export const ofPersonMeets = (tenantId: string, condition: Sql): Sql =>
  sql`exists (select 1 from end_users person where person.tenant_id = ${tenantId}
    and person.id = ${personId(tenantId)} and ${condition})`

/** Conversations of people, whatever id of theirs they are stored with. @param ids a query for ids of end users */
export const conversationsOf = (tenantId: string, ids: Sql): Sql =>
  sql`select c.id from end_users found
    join end_users target on target.tenant_id = ${tenantId} and target.id = coalesce(found.merged_into_id, found.id)
    cross join lateral (select target.id union all select alias.id from end_users alias
      where alias.tenant_id = ${tenantId} and alias.merged_into_id = target.id) one (id)
    join conversations c on c.tenant_id = ${tenantId} and c.end_user_id = one.id
    where found.tenant_id = ${tenantId} and found.id in (${ids})`

const clock = (name: string): Sql => sql`(conversations.sla -> ${name}::text)`
const isBreached = (of: Sql, now: Instant): Sql =>
  sql`(${of} ->> 'breached_at' is not null or (${of} ->> 'phase' = 'running'
    and (${of} ->> 'due_at')::float8 <= extract(epoch from ${now}::timestamptz) * 1000))`

/** The status of a clock as it is shown; null for one without a target. */
const clockStatus = (name: string, now: Instant): Sql =>
  sql`case when ${clock(name)} ->> 'target' is null then null
    when ${isBreached(clock(name), now)} then 'breached' else ${clock(name)} ->> 'phase' end`

/** The first of the statuses, from the worst on, that a clock has. */
export const worstStatus = (now: Instant): Sql => {
  const shown = join(
    clockNames.map((name) => clockStatus(name, now)),
    comma,
  )
  const ranked = slaStatuses.map((status) => sql`when ${status}::text in (${shown}) then ${status}::text`)
  return sql`case when conversations.sla is null then null ${join(ranked, sql` `)} end`
}

const dueAt = (name: string, now: Instant): Sql =>
  sql`case when ${clockStatus(name, now)} = 'running' then to_timestamp((${clock(name)} ->> 'due_at')::float8 / 1000) end`

const breachedAt = (name: string, now: Instant): Sql =>
  sql`case when ${clockStatus(name, now)} = 'breached'
    then to_timestamp(coalesce((${clock(name)} ->> 'breached_at')::float8, (${clock(name)} ->> 'due_at')::float8) / 1000) end`

/** The latest time at which a clock missed its target. */
export const latestBreachAt = (now: Instant): Sql =>
  sql`greatest(${join(
    clockNames.map((name) => breachedAt(name, now)),
    comma,
  )})`

/**
 * A query for the ids of conversations with a breach since a time, and perhaps of others. A breach that is written down
 * has changed its conversation since; any other is of one that is overdue.
 */
export const perhapsBreachedSince = (tenantId: string, from: unknown, now: Instant): Sql =>
  sql`select id from conversations where tenant_id = ${tenantId} and updated_at >= ${from}::timestamptz
    union all select id from conversations where tenant_id = ${tenantId} and coalesce(sla_due_at, 'infinity') <= ${now}`

/** The earliest due time of a running clock. */
export const earliestDueAt = (now: Instant): Sql =>
  sql`least(${join(
    clockNames.map((name) => dueAt(name, now)),
    comma,
  )})`

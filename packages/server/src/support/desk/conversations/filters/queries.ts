import {
  byOneLeaf,
  type Column,
  type Columns,
  conditionOfEach,
  valueColumn,
} from '../../../../platform/filters/compile.ts'
import type { Leaf } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import { comma, join, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { idsCreatedFor, someAddress, withAddresses } from '../../../people/end-users/filters/queries.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import { customFieldNamed } from '../../../properties/custom-fields/filters/fields.ts'
import { customCandidates, customColumn } from '../../../properties/custom-fields/filters/queries.ts'
import { clockNames } from '../../../sla/clocks/clocks.ts'
import { type ConversationField, conversationCustomFields, slaStatuses } from './fields.ts'

const isOneOf = ({ op }: Leaf): boolean => op === 'is' || op === 'in'

/** The id of the end user of a conversation, after merges. */
const personId = (tenantId: string): Sql =>
  sql`(select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = ${tenantId} and stored.id = conversations.end_user_id)`

/** Condition: one of the rows of the person, the end user and those merged into it, meets a condition. */
const someRowOfPerson = (tenantId: string, condition: Sql): Sql =>
  sql`exists (select 1 from (select ${personId(tenantId)} as id) person cross join lateral (
      select * from end_users own where own.tenant_id = ${tenantId} and own.id = person.id
      union all select * from end_users alias where alias.tenant_id = ${tenantId} and alias.merged_into_id = person.id) one
    where ${condition})`

/** The value of a column of the end user, after merges. */
const ofPerson = (tenantId: string, value: Sql): Sql =>
  sql`(select ${value} from end_users person where person.tenant_id = ${tenantId} and person.id = ${personId(tenantId)})`

/** Conversations of people, whatever id of theirs they are stored with. @param ids a query for ids of end users */
const conversationsOf = (tenantId: string, ids: Sql): Sql =>
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
const worstStatus = (now: Instant): Sql => {
  const shown = join(
    clockNames.map((name) => clockStatus(name, now)),
    comma,
  )
  const ranked = slaStatuses.map((status) => sql`when ${status}::text in (${shown}) then ${status}::text`)
  return sql`case when conversations.sla is null then null ${join(ranked, sql` `)} end`
}

const dueAt = (name: string, now: Instant): Sql =>
  sql`case when ${clockStatus(name, now)} = 'running' then to_timestamp((${clock(name)} ->> 'due_at')::float8 / 1000) end`

/** How filters read conversations, the rows of `conversations`. */
export function conversationColumns(tenantId: string, definitions: Definitions, now: Instant): Columns {
  const custom = conversationCustomFields(definitions)
  /** A column whose index finds some values. */
  const indexed = (value: Sql, condition: (leaf: Leaf) => Sql | undefined): Column =>
    valueColumn(value, (leaves) => {
      const found = conditionOfEach(leaves, condition)
      return found && sql`select id from conversations where tenant_id = ${tenantId} and ${found}`
    })
  const byId = (name: Sql): Column =>
    indexed(sql`conversations.${name}`, (leaf) =>
      isOneOf(leaf) ? sql`${name} = any(${leaf.values}::uuid[])` : undefined,
    )
  /** Most conversations have the usual value, and the index leaves it out. */
  const unusual = (name: Sql, usual: string): Column =>
    indexed(sql`conversations.${name}`, (leaf) =>
      isOneOf(leaf) && !leaf.values.includes(usual)
        ? sql`${name} = any(${leaf.values}::text[]) and ${name} <> ${usual}`
        : undefined,
    )
  const columns: Record<ConversationField, Column> = {
    status: indexed(sql`conversations.status`, (leaf) =>
      isOneOf(leaf) ? sql`status = any(${leaf.values}::text[])` : undefined,
    ),
    waiting_on: valueColumn(sql`conversations.waiting_on`),
    priority: unusual(sql`priority`, 'normal'),
    channel: unusual(sql`channel`, 'api'),
    initiated_by_side: valueColumn(sql`conversations.initiated_by_side`),
    assignee_id: byId(sql`assignee_id`),
    department_id: byId(sql`department_id`),
    category_id: byId(sql`category_id`),
    company_id: byId(sql`company_id`),
    tags: {
      some: (condition) => sql`exists (select 1 from unnest(conversations.tag_ids) used (id)
        join tags stored on stored.tenant_id = ${tenantId} and stored.id = used.id
        join tags tag on tag.tenant_id = ${tenantId} and (tag.id = coalesce(stored.merged_into_id, stored.id)
          or tag.merged_into_id = coalesce(stored.merged_into_id, stored.id))
        where ${condition(sql`tag.name_key`)})`,
      candidates: byOneLeaf(({ op, values }) =>
        op === 'contains'
          ? sql`select used.conversation_id as id from tags named join tags also on also.tenant_id = ${tenantId}
              and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
            join conversation_tags used on used.tenant_id = ${tenantId} and used.tag_id = also.id
            where named.tenant_id = ${tenantId} and named.name_key = ${nameKey(String(values[0]))}`
          : undefined,
      ),
    },
    external_id: indexed(sql`conversations.external_id`, (leaf) =>
      isOneOf(leaf) ? sql`external_id = any(${leaf.values}::text[])` : undefined,
    ),
    subject: valueColumn(sql`conversations.subject`),
    language: valueColumn(sql`conversations.language`),
    end_user_id: {
      some: (condition) => someRowOfPerson(tenantId, condition(sql`one.id`)),
      candidates: byOneLeaf((leaf) =>
        isOneOf(leaf) ? conversationsOf(tenantId, sql`select unnest(${leaf.values}::uuid[])`) : undefined,
      ),
    },
    external_user_id: {
      // Conversations from before end users do not refer to theirs until background work has reached them.
      some: (condition) => sql`(${someRowOfPerson(tenantId, condition(sql`one.external_id`))}
        or (conversations.end_user_id is null and ${condition(sql`conversations.external_user_id`)}))`,
      candidates: byOneLeaf((leaf) =>
        isOneOf(leaf)
          ? sql`${conversationsOf(
              tenantId,
              sql`select id from end_users where tenant_id = ${tenantId} and external_id = any(${leaf.values}::text[])`,
            )} union all select id from conversations
              where tenant_id = ${tenantId} and end_user_id is null and external_user_id = any(${leaf.values}::text[])`
          : undefined,
      ),
    },
    'end_user.verified': valueColumn(ofPerson(tenantId, sql`person.verified_at is not null`)),
    'end_user.email': {
      some: (condition) => someAddress(tenantId, 'email', personId(tenantId), condition),
      candidates: byOneLeaf((leaf) => {
        const found = withAddresses(tenantId, 'email', leaf)
        return found && conversationsOf(tenantId, found)
      }),
    },
    message_count: valueColumn(sql`conversations.message_count::float8`),
    reopened_count: valueColumn(sql`conversations.reopened_count::float8`),
    'hold.hold_reason_id': valueColumn(sql`conversations.hold_reason_id`),
    'sla.status': valueColumn(sql`(${worstStatus(now)})`),
    'sla.due_at': valueColumn(
      sql`least(${join(
        clockNames.map((name) => dueAt(name, now)),
        comma,
      )})`,
    ),
    created_at: indexed(sql`conversations.created_at`, (leaf) => idsCreatedFor(sql`id`, leaf, now)),
    updated_at: valueColumn(sql`conversations.updated_at`),
    last_message_at: valueColumn(sql`conversations.last_message_at`),
    waiting_since: valueColumn(sql`conversations.waiting_since`),
    resolved_at: valueColumn(sql`conversations.resolved_at`),
    closed_at: valueColumn(sql`conversations.closed_at`),
  }
  return (name) => {
    if (Object.hasOwn(columns, name)) return columns[name as ConversationField]
    const { field, prefix } = customFieldNamed(name, custom)!
    const found = (leaves: Leaf[]) => customCandidates(field, leaves, tenantId, now)
    if (prefix === 'custom_fields.')
      return { ...customColumn(field, sql`conversations.custom_values`), candidates: found }
    if (prefix === 'end_user.custom_fields.')
      return {
        some: (condition) =>
          ofPersonMeets(tenantId, customColumn(field, sql`person.custom_values`).some(condition)),
        candidates: (leaves) => {
          const people = found(leaves)
          return people && conversationsOf(tenantId, people)
        },
      }
    return {
      some: (condition) => sql`exists (select 1 from companies where companies.tenant_id = ${tenantId}
        and companies.id = conversations.company_id and ${customColumn(field, sql`companies.custom_values`).some(condition)})`,
      candidates: (leaves) => {
        const companies = found(leaves)
        return (
          companies &&
          sql`select id from conversations where tenant_id = ${tenantId} and company_id in (${companies})`
        )
      },
    }
  }
}

const ofPersonMeets = (tenantId: string, condition: Sql): Sql =>
  sql`exists (select 1 from end_users person where person.tenant_id = ${tenantId}
    and person.id = ${personId(tenantId)} and ${condition})`

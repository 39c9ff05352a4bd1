import type { Position } from '../../../../platform/journal/positions.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { type CustomValue, customValuesIn } from '../../../properties/custom-fields/values/queries.ts'

const positions = rowSet<Position>({
  epoch: ['integer', ({ epoch }) => epoch],
  position: ['text', ({ position }) => String(position)],
  ordinal: ['integer', ({ ordinal }) => ordinal],
})

/** The events of a conversation that are looked through for its last state. */
const mostBefore = 200

/** A conversation as the API shows it. */
export type Shown = Record<string, unknown>

/** An event, with what the journal knows of its conversation up to then. */
export type EventOfConversation = {
  id: string
  created_at: Instant
  conversation_id: string
  is_message: boolean
  /** The conversation in its last event; null if that event is not kept, or far behind. */
  shown: Shown | null
  /** The last message, if the event is one of a message. */
  sequence: number | null
  message_at: Instant | null
  /** The time of the last public message. */
  public_at: Instant | null
}

export async function eventsOfConversations(
  db: Db,
  tenantId: string,
  events: readonly Position[],
): Promise<EventOfConversation[]> {
  const upToEvent = (columns: Sql) => sql`select ${columns} from events
    where events.tenant_id = ${tenantId} and events.stream_id = e.stream_id
      and (events.epoch, events.position, events.ordinal) <= (e.epoch, e.position, e.ordinal)
    order by events.epoch desc, events.position desc, events.ordinal desc limit ${mostBefore}`
  return db.rows(sql`select e.id, e.created_at, e.stream_id as conversation_id, e.resource_type <> 'conversation' as is_message,
      case when e.type = 'conversation.deleted' then null when e.resource_type = 'conversation' then e.object else conversation.object end as shown,
      message.sequence, message.created_at as message_at, message.public_at
    from ${positions([...events])}
    cross join lateral (select * from events where events.tenant_id = ${tenantId} and events.epoch = v.epoch
      and events.position = v.position::xid8 and events.ordinal = v.ordinal limit 1) e
    left join lateral (select near.object from (${upToEvent(sql`object, resource_type`)}) near
      where e.resource_type <> 'conversation' and near.resource_type = 'conversation' limit 1) conversation on true
    left join lateral (select max((near.object ->> 'sequence')::integer) as sequence, max(near.created_at) as created_at,
        max(near.created_at) filter (where near.object ->> 'visibility' = 'public') as public_at
      from (${upToEvent(sql`object, type, created_at`)}) near
      where e.resource_type <> 'conversation' and near.type = 'message.created') message on true`)
}

/** An end user of events, after merges, with the names of those that were merged into it. */
export type PersonOfEvents = {
  /** The id in the event. */
  named: string
  verified: boolean
  custom_fields: CustomValue[]
  emails: string[]
  ids: string[]
  external_ids: string[]
}

/** @param ids as events have them */
export const peopleOfEvents = (db: Db, tenantId: string, ids: string[]): Promise<PersonOfEvents[]> =>
  db.rows(sql`select named.id as named, person.verified_at is not null as verified,
      ${customValuesIn(sql`person.custom_values`)(tenantId)} as custom_fields,
      array(select known.address from end_user_addresses known where known.tenant_id = ${tenantId} and known.kind = 'email'
        and known.end_user_id = person.id) as emails,
      array(select person.id union all select alias.id from end_users alias
        where alias.tenant_id = ${tenantId} and alias.merged_into_id = person.id) as ids,
      array(select one.external_id from (select person.external_id union all select alias.external_id from end_users alias
        where alias.tenant_id = ${tenantId} and alias.merged_into_id = person.id) one where one.external_id is not null) as external_ids
    from unnest(${ids}::uuid[]) named (id)
    cross join lateral (select stored.* from end_users stored where stored.tenant_id = ${tenantId} and stored.id = named.id limit 1) stored
    cross join lateral (select target.* from end_users target where target.tenant_id = ${tenantId}
      and target.id = coalesce(stored.merged_into_id, stored.id) limit 1) person`)

export const companiesOfEvents = (
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; custom_fields: CustomValue[] }[]> =>
  db.rows(sql`select companies.id, ${customValuesIn(sql`companies.custom_values`)(tenantId)} as custom_fields
    from companies where companies.tenant_id = ${tenantId} and companies.id = any(${ids}::uuid[])`)

/** The names of tags that were merged with tags of some names. @param keys lower-case names */
export const namesakesOfTags = (
  db: Db,
  tenantId: string,
  keys: string[],
): Promise<{ key: string; name: string }[]> =>
  db.rows(sql`select named.name_key as key, also.name from tags named
    join tags also on also.tenant_id = ${tenantId} and (also.id = coalesce(named.merged_into_id, named.id)
      or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = ${tenantId} and named.name_key = any(${keys}::text[])`)

import { firstUuidAt } from '../../../../platform/kernel/ids.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import { idsCreatedFor, periodOf } from '../../../../platform/lists/condition.ts'
import {
  byOneLeaf,
  type Check,
  type Field,
  type Fields,
  fieldsOf,
  oneValue,
  someValues,
} from '../../../../platform/lists/field.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { conversationsTagged, idsOfTagNamed } from '../../../catalogue/tags/queries.ts'
import { someAddress, withAddresses } from '../../../people/end-users/finding/addresses.ts'
import { idsOfEndUser, idsOfExternalId } from '../../../people/end-users/queries.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import { withCustomFields } from '../../../properties/custom-fields/finding/fields.ts'
import { shownValues } from '../../../properties/custom-fields/values/shown.ts'
import { channels, priorities } from '../../../vocabulary/conversations.ts'
import { isUnreadBy, perhapsUnread } from '../../read-states/queries.ts'
import { followedBy, isFollowedBy } from '../followers/queries.ts'
import { sides, statuses, waitingOns } from '../lifecycle.ts'
import { hasUnlinked } from '../linking/queries.ts'
import {
  type ColumnCheck,
  column,
  columnWithIndex,
  computed,
  createdWithin,
  equals,
  found,
  mostly,
  ofEndUser,
  oneOrSeveral,
  reference,
  statusCheck,
  text,
  uuid,
  value,
} from './columns.ts'
import { type Judged, membersOf, uuidIn } from './judged.ts'
import {
  conversationsOf,
  earliestDueAt,
  latestBreachAt,
  ofPerson,
  ofPersonMeets,
  perhapsBreachedSince,
  personId,
  slaStatuses,
  someRowOfPerson,
  worstStatus,
} from './queries.ts'

type ConversationField = Omit<Field, 'checks' | 'valuesIn'> & {
  checks?: readonly (Check | ColumnCheck)[]
  valuesIn?(conversation: Judged): readonly unknown[]
}

/** The fields that filters of conversations can name, besides custom fields. */
export const conversationFieldTable = {
  status: {
    kind: 'enum',
    values: statuses,
    description: 'The status.',
    ...columnWithIndex('status', text),
    checks: [statusCheck],
  },
  waiting_on: {
    kind: 'enum',
    values: waitingOns,
    description: 'The side that is expected to act next.',
    ...column('waiting_on'),
    checks: [equals('waiting_on', text)],
  },
  priority: {
    kind: 'enum',
    values: priorities,
    description: 'The priority.',
    ...mostly('priority', 'normal'),
  },
  channel: { kind: 'enum', values: channels, description: 'The channel.', ...mostly('channel', 'api') },
  initiated_by_side: {
    kind: 'enum',
    values: sides,
    description: 'The side that started the conversation.',
    ...column('initiated_by_side'),
    checks: [equals('initiated_by_side', text)],
  },
  assignee_id: {
    kind: 'id',
    prefix: 'op',
    takesMe: true,
    description: 'The assignee; `me` is the operator of `Backline-Operator`.',
    ...columnWithIndex('assignee_id', uuid),
    checks: [
      equals('assignee_id', uuid),
      {
        as: 'unassigned',
        column: 'assignee_id',
        type: sql`boolean`,
        valueOf: ({ op, values }) => (op === 'exists' && values[0] === false ? true : undefined),
        test: () => sql`assignee_id is null`,
      },
    ],
  },
  department_id: {
    kind: 'id',
    prefix: 'dept',
    description: 'The department.',
    ...reference('department_id'),
  },
  category_id: {
    kind: 'id',
    prefix: 'cat',
    description: 'The category, without its subcategories.',
    ...reference('category_id'),
  },
  mailbox_id: {
    kind: 'id',
    prefix: 'mbx',
    description: 'The mailbox.',
    ...reference('mailbox_id'),
  },
  tags: {
    kind: 'list',
    folding: 'name',
    description: 'The names of the tags.',
    some: (condition, { tenantId }) => sql`exists (select 1 from unnest(conversations.tag_ids) used (id)
      join tags stored on stored.tenant_id = ${tenantId} and stored.id = used.id
      join tags tag on tag.tenant_id = ${tenantId} and (tag.id = coalesce(stored.merged_into_id, stored.id)
        or tag.merged_into_id = coalesce(stored.merged_into_id, stored.id))
      where ${condition(sql`tag.name_key`)})`,
    candidates: byOneLeaf(({ op, values }, { tenantId }) =>
      op === 'contains'
        ? sql`select used.conversation_id as id from tags named join tags also on also.tenant_id = ${tenantId}
            and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
          join conversation_tags used on used.tenant_id = ${tenantId} and used.tag_id = also.id
          where named.tenant_id = ${tenantId} and named.name_key = ${nameKey(String(values[0]))}`
        : undefined,
    ),
    checks: [
      {
        as: 'tag',
        valueOf: ({ op, values }) => (op === 'contains' ? values[0] : undefined),
        resolve: async (db, tenantId, name: string) => {
          const ids = await idsOfTagNamed(db, tenantId, name)
          return ids.length === 0 ? null : ids
        },
        test: (ids: string[], { tenantId }) => sql`id in (${conversationsTagged(tenantId, ids)})`,
      },
    ],
    valuesIn: ({ shown, namesakes }) =>
      [shown.tags].flat().flatMap((name) => [name, ...(namesakes.get(nameKey(String(name))) ?? [])]),
  },
  external_id: {
    kind: 'text',
    description: "The conversation's id in your system.",
    ...columnWithIndex('external_id', text),
    checks: [{ as: 'external_id', valueOf: oneValue, test: (value: string) => sql`external_id = ${value}` }],
  },
  subject: { kind: 'text', description: 'The subject line.', ...column('subject') },
  language: { kind: 'text', description: 'The language.', ...column('language') },
  end_user_id: {
    kind: 'id',
    prefix: 'eu',
    description: 'The end user, also by the id of one that was merged.',
    some: (condition, { tenantId }) => someRowOfPerson(tenantId, condition(sql`one.id`)),
    candidates: byOneLeaf((leaf, { tenantId }) => {
      const values = someValues(leaf)
      return values && conversationsOf(tenantId, sql`select unnest(${values}::uuid[])`)
    }),
    checks: [
      ofEndUser('end_user_id', async (db, tenantId, id: string) =>
        oneOrSeveral(await idsOfEndUser(db, tenantId, id)),
      ),
    ],
    valuesIn: ({ shown, person }) => [uuidIn(shown.end_user_id, 'eu'), ...(person?.ids ?? [])],
  },
  external_user_id: {
    kind: 'text',
    description: "The end user's id in your system, also that of one that was merged.",
    // Conversations from before end users do not refer to theirs until background work has reached them.
    some: (condition, { tenantId }) => sql`(${someRowOfPerson(tenantId, condition(sql`one.external_id`))}
      or (conversations.end_user_id is null and ${condition(sql`conversations.external_user_id`)}))`,
    candidates: byOneLeaf((leaf, { tenantId }) => {
      const values = someValues(leaf)
      const ids = sql`select id from end_users where tenant_id = ${tenantId} and external_id = any(${values}::text[])`
      return (
        values &&
        sql`${conversationsOf(tenantId, ids)} union all select id from conversations
          where tenant_id = ${tenantId} and end_user_id is null and external_user_id = any(${values}::text[])`
      )
    }),
    checks: [
      ofEndUser('external_user_id', async (db, tenantId, externalId: string) => {
        const ids = await idsOfExternalId(db, tenantId, externalId)
        return (await hasUnlinked(db, tenantId)) ? { ids, unlinked: externalId } : oneOrSeveral(ids)
      }),
    ],
    valuesIn: ({ shown, person }) => [shown.external_user_id, ...(person?.external_ids ?? [])],
  },
  'end_user.verified': {
    scope: 'end_users:read',
    kind: 'boolean',
    description: 'Whether the identity of the end user was proved by a JWT.',
    ...computed(({ tenantId }) => ofPerson(tenantId, sql`person.verified_at is not null`)),
    valuesIn: ({ person }) => (person ? [person.verified] : []),
  },
  'end_user.email': {
    scope: 'end_users:read',
    kind: 'text',
    folding: 'address',
    description: 'One of the e-mail addresses of the end user.',
    some: (condition, { tenantId }) => someAddress(tenantId, 'email', personId(tenantId), condition),
    candidates: byOneLeaf((leaf, { tenantId }) => {
      const people = withAddresses(tenantId, 'email', leaf)
      return people && conversationsOf(tenantId, people)
    }),
    valuesIn: ({ person }) => person?.emails ?? [],
  },
  company_id: {
    kind: 'id',
    prefix: 'co',
    description: 'The company.',
    ...columnWithIndex('company_id', uuid),
  },
  message_count: {
    kind: 'number',
    description: 'The number of messages, internal notes included.',
    ...value(sql`conversations.message_count::float8`),
  },
  reopened_count: {
    kind: 'number',
    description: 'How often the conversation was reopened.',
    ...value(sql`conversations.reopened_count::float8`),
  },
  'hold.hold_reason_id': {
    kind: 'id',
    prefix: 'hold',
    description: 'The reason of the current hold.',
    ...column('hold_reason_id'),
    valuesIn: ({ shown }) => [uuidIn(membersOf(shown.hold).hold_reason_id, 'hold')],
  },
  'sla.status': {
    kind: 'enum',
    values: slaStatuses,
    changesSilently: true,
    description: 'The worst status of the SLA clocks, in the order of these values.',
    ...computed(({ now }) => sql`(${worstStatus(now)})`),
    valuesIn: ({ clocks }) =>
      slaStatuses.filter((wanted) => clocks.some(({ status }) => status === wanted)).slice(0, 1),
  },
  'sla.due_at': {
    kind: 'time',
    changesSilently: true,
    description: 'The earliest due time of a running SLA clock.',
    ...computed(({ now }) => earliestDueAt(now)),
    valuesIn: ({ clocks }) =>
      clocks
        .flatMap(({ status, due_at }) => (status === 'running' && due_at !== null ? [due_at] : []))
        .toSorted()
        .slice(0, 1),
  },
  'sla.breached_at': {
    kind: 'time',
    changesSilently: true,
    description: 'The latest time at which an SLA clock missed its target.',
    ...computed(({ now }) => latestBreachAt(now)),
    candidates: byOneLeaf((leaf, { tenantId, now }) => {
      const from = ['gt', 'gte', 'is'].includes(leaf.op)
        ? leaf.values[0]
        : leaf.op === 'within' && periodOf(leaf, now)[0]
      return from ? perhapsBreachedSince(tenantId, from, now) : undefined
    }),
    valuesIn: ({ clocks }) =>
      clocks
        .flatMap(({ breached_at }) => breached_at ?? [])
        .toSorted()
        .slice(-1),
  },
  follower_ids: {
    kind: 'list',
    prefix: 'op',
    takesMe: true,
    changesSilently: true,
    description: 'The operators who follow the conversation; `me` is the operator of `Backline-Operator`.',
    some: (condition, { tenantId }) => isFollowedBy(condition, tenantId),
    candidates: byOneLeaf(({ op, values }, { tenantId }) =>
      op === 'contains' ? followedBy(tenantId, String(values[0])) : undefined,
    ),
    valuesIn: ({ followers }) => followers,
  },
  unread: {
    kind: 'me',
    takesMe: true,
    changesSilently: true,
    description:
      'Whether the operator of `Backline-Operator` has something to read in the conversation, as its `read_state` tells.',
    some: (condition, { tenantId, now }) => isUnreadBy(condition, tenantId, now),
    candidates: byOneLeaf(({ op }, { tenantId, now }) =>
      op === 'is' ? perhapsUnread(tenantId, now) : undefined,
    ),
  },
  created_at: {
    kind: 'time',
    description: 'The time of creation.',
    ...column('created_at'),
    ...found((leaf, { now }) => idsCreatedFor(sql`id`, leaf, now)),
    checks: [
      createdWithin('created_after', 'gt', (ms) => firstUuidAt(ms + 1), sql`>`),
      createdWithin('created_before', 'lt', firstUuidAt, sql`<`),
    ],
  },
  updated_at: {
    kind: 'time',
    description: 'The time of the last change.',
    ...column('updated_at'),
    checks: [
      {
        as: 'updated_after',
        column: 'updated_at',
        type: sql`timestamptz`,
        valueOf: ({ op, values }) => (op === 'gt' ? values[0] : undefined),
        test: (value: unknown) => sql`updated_at > ${value}`,
      },
    ],
  },
  last_message_at: {
    kind: 'time',
    description: 'The time of the last public message.',
    ...column('last_message_at'),
  },
  waiting_since: {
    kind: 'time',
    description: 'The time since which the conversation waits.',
    ...column('waiting_since'),
  },
  resolved_at: {
    kind: 'time',
    description: 'The time at which the conversation was resolved.',
    ...column('resolved_at'),
  },
  closed_at: {
    kind: 'time',
    description: 'The time at which the conversation was closed.',
    ...column('closed_at'),
  },
} as const satisfies Record<string, ConversationField>

/** The checks of which each concerns one column. */
export const columnChecks: ColumnCheck[] = Object.values<ConversationField>(conversationFieldTable).flatMap(
  ({ checks = [] }) => checks.filter((check): check is ColumnCheck => 'column' in check),
)

export const conversationFields = ({ conversation, end_user, company }: Definitions): Fields =>
  withCustomFields(fieldsOf(conversationFieldTable), [
    {
      prefix: 'custom_fields.',
      fields: conversation,
      some: (condition) => condition(sql`conversations.custom_values`),
      candidates: (conversations) => conversations,
      valuesIn: ({ shown }: Judged) => membersOf(shown.custom_fields),
    },
    {
      prefix: 'end_user.custom_fields.',
      fields: end_user,
      scope: 'end_users:read',
      some: (condition, { tenantId }) => ofPersonMeets(tenantId, condition(sql`person.custom_values`)),
      candidates: (people, { tenantId }) => conversationsOf(tenantId, people),
      valuesIn: ({ person }: Judged) => (person ? shownValues(person.custom_fields) : {}),
    },
    {
      prefix: 'company.custom_fields.',
      fields: company,
      scope: 'companies:read',
      some: (
        condition,
        { tenantId },
      ) => sql`exists (select 1 from companies where companies.tenant_id = ${tenantId}
        and companies.id = conversations.company_id and ${condition(sql`companies.custom_values`)})`,
      candidates: (companies, { tenantId }) =>
        sql`select id from conversations where tenant_id = ${tenantId} and company_id in (${companies})`,
      valuesIn: ({ company }: Judged) => company ?? {},
    },
  ])

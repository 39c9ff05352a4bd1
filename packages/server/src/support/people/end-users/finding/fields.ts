import { conditionOfEach, idsCreatedFor } from '../../../../platform/lists/condition.ts'
import {
  byOneLeaf,
  type Check,
  type Field,
  type Fields,
  fieldsOf,
  type Leaf,
  oneValue,
  someValues,
} from '../../../../platform/lists/field.ts'
import { identifier, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import { withCustomFields } from '../../../properties/custom-fields/finding/fields.ts'
import { someAddress, withAddresses } from './addresses.ts'

export const endUserStatuses = ['active', 'blocked', 'merged', 'erased'] as const

type Facets<Names extends keyof Field> = Required<Pick<Field, Names>>

const value = (expression: Sql): Facets<'some'> => ({ some: (condition) => condition(expression) })

const column = (name: string): Facets<'some'> => value(sql`end_users.${identifier(name)}`)

/** Candidates of equality with one of some values. A check of one value reads them in the order of the list. */
function found(
  as: string,
  idsWith: (leaf: Leaf, tenantId: string) => Sql | undefined,
): Facets<'candidates' | 'checks'> {
  return {
    candidates: byOneLeaf((leaf, { tenantId }) => idsWith(leaf, tenantId)),
    checks: [
      {
        as,
        valueOf: (leaf) => (oneValue(leaf) === undefined ? undefined : leaf),
        test: (leaf: Leaf, { tenantId }) => sql`id in (${idsWith(leaf, tenantId)})`,
      },
    ],
  }
}

const addresses = (kind: 'email' | 'phone'): Facets<'some' | 'candidates' | 'checks'> => ({
  some: (condition, { tenantId }) => someAddress(tenantId, kind, sql`end_users.id`, condition),
  ...found(kind, (leaf, tenantId) => withAddresses(tenantId, kind, leaf)),
})

const members = (tenantId: string, condition: Sql): Sql =>
  sql`select member.end_user_id as id from company_members member where member.tenant_id = ${tenantId} and ${condition}`

/** Neither merged nor erased. */
export const isPresent = sql`merged_into_id is null and erased_at is null`

const conditionsOfStatus: Record<(typeof endUserStatuses)[number], Sql> = {
  active: sql`${isPresent} and blocked_at is null`,
  blocked: sql`${isPresent} and blocked_at is not null`,
  merged: sql`merged_into_id is not null and erased_at is null`,
  erased: sql`erased_at is not null`,
}

const statusCheck: Check = {
  as: 'status',
  valueOf: oneValue,
  test: (status: keyof typeof conditionsOfStatus) => conditionsOfStatus[status],
}

/** The fields that filters of end users can name, besides custom fields. */
export const endUserFieldTable = {
  external_id: {
    kind: 'text',
    description: "The end user's id in your system.",
    // Also the ids of those that were merged into the end user.
    some: (
      condition,
      { tenantId },
    ) => sql`(coalesce(${condition(sql`end_users.external_id`)}, false) or exists (
      select 1 from end_users alias where alias.tenant_id = ${tenantId} and alias.merged_into_id = end_users.id
        and ${condition(sql`alias.external_id`)}))`,
    ...found('external_id', (leaf, tenantId) => {
      const values = someValues(leaf)
      return (
        values &&
        sql`select unnest(array[named.id, named.merged_into_id]) as id from end_users named
          where named.tenant_id = ${tenantId} and named.external_id = any(${values}::text[])`
      )
    }),
  },
  name: { kind: 'text', description: 'The name.', ...column('name') },
  email: {
    kind: 'text',
    folding: 'address',
    description: 'One of the e-mail addresses.',
    ...addresses('email'),
  },
  phone: { kind: 'text', description: 'One of the phone numbers.', ...addresses('phone') },
  company_id: {
    kind: 'id',
    prefix: 'co',
    description: 'One of the companies.',
    some: (condition) =>
      sql`exists (select 1 from unnest(end_users.company_ids) company (id) where ${condition(sql`company.id`)})`,
    ...found('company_id', (leaf, tenantId) => {
      const values = someValues(leaf)
      return values && members(tenantId, sql`member.company_id = any(${values}::uuid[])`)
    }),
  },
  status: {
    kind: 'enum',
    values: endUserStatuses,
    description: 'The status.',
    ...value(sql`case when end_users.erased_at is not null then 'erased'
      when end_users.merged_into_id is not null then 'merged' when end_users.blocked_at is not null then 'blocked' else 'active' end`),
    checks: [statusCheck],
  },
  verified: {
    kind: 'boolean',
    description: 'Whether the identity was proved by a JWT.',
    ...value(sql`(end_users.verified_at is not null)`),
  },
  language: { kind: 'text', description: 'The preferred language.', ...column('language') },
  created_at: {
    kind: 'time',
    description: 'The time of creation.',
    ...column('created_at'),
    candidates(leaves, { tenantId, now }) {
      const ids = conditionOfEach(leaves, (leaf) => idsCreatedFor(sql`id`, leaf, now))
      return ids && sql`select id from end_users where tenant_id = ${tenantId} and ${ids}`
    },
  },
  updated_at: { kind: 'time', description: 'The time of the last change.', ...column('updated_at') },
  last_seen_at: {
    kind: 'time',
    changesSilently: true,
    description: 'The time at which a session was last used.',
    ...column('last_seen_at'),
  },
} as const satisfies Record<string, Field>

export const endUserFields = ({ end_user, company }: Definitions): Fields =>
  withCustomFields(fieldsOf(endUserFieldTable), [
    {
      prefix: 'custom_fields.',
      fields: end_user,
      some: (condition) => condition(sql`end_users.custom_values`),
      candidates: (endUsers) => endUsers,
    },
    {
      prefix: 'company.custom_fields.',
      fields: company,
      scope: 'companies:read',
      some: (
        condition,
        { tenantId },
      ) => sql`exists (select 1 from unnest(end_users.company_ids) of_company (id)
        join companies on companies.tenant_id = ${tenantId} and companies.id = of_company.id
        where ${condition(sql`companies.custom_values`)})`,
      candidates: (companies, { tenantId }) => members(tenantId, sql`member.company_id in (${companies})`),
      several: true,
    },
  ])

import {
  byOneLeaf,
  type Column,
  type Columns,
  conditionOfEach,
  periodOf,
  valueColumn,
} from '../../../../platform/filters/compile.ts'
import type { Leaf } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import { firstUuidAt } from '../../../../platform/kernel/ids.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import { customFieldNamed } from '../../../properties/custom-fields/filters/fields.ts'
import { customCandidates, customColumn } from '../../../properties/custom-fields/filters/queries.ts'
import { type EndUserField, endUserCustomFields } from './fields.ts'

/** The ids of objects created at the times of a leaf, as a condition on ids; undefined for other operators. */
export function idsCreatedFor(id: Sql, leaf: Leaf, now: Instant): Sql | undefined {
  const first = (instant: unknown, more = 0) => firstUuidAt(Date.parse(String(instant)) + more)
  const [value] = leaf.values
  switch (leaf.op) {
    case 'gt':
    case 'gte':
      return sql`${id} >= ${first(value)}::uuid`
    case 'lt':
    case 'lte':
      return sql`${id} < ${first(value, 1)}::uuid`
    case 'is':
      return sql`${id} >= ${first(value)}::uuid and ${id} < ${first(value, 1)}::uuid`
    case 'within': {
      const [from, to] = periodOf(leaf, now)
      return sql`${id} >= ${first(from)}::uuid and ${id} < ${first(to, 1)}::uuid`
    }
    default:
      return undefined
  }
}

/** Condition on `exists`: some address of an end user. */
export const someAddress = (
  tenantId: string,
  kind: 'email' | 'phone',
  endUserId: Sql,
  condition: (value: Sql) => Sql,
): Sql => sql`exists (select 1 from end_user_addresses known where known.tenant_id = ${tenantId}
    and known.kind = ${kind} and known.end_user_id = ${endUserId} and ${condition(sql`known.address`)})`

/** The end users with one of the addresses of a leaf (`end_user_id`); undefined if no index serves it. */
export function withAddresses(
  tenantId: string,
  kind: 'email' | 'phone',
  { op, values }: Leaf,
): Sql | undefined {
  const key = (value: unknown) => (kind === 'email' ? String(value).toLowerCase() : String(value))
  const known = sql`select known.end_user_id from end_user_addresses known where known.tenant_id = ${tenantId} and known.kind = ${kind}`
  if (op === 'is' || op === 'in') return sql`${known} and known.address = any(${values.map(key)}::text[])`
  return undefined
}

/** How filters read end users, the rows of `end_users`. */
export function endUserColumns(tenantId: string, definitions: Definitions, now: Instant): Columns {
  const custom = endUserCustomFields(definitions)
  const whole = (value: Sql, condition: (leaf: Leaf) => Sql | undefined): Column =>
    valueColumn(value, (leaves) => {
      const found = conditionOfEach(leaves, condition)
      return found && sql`select id from end_users where tenant_id = ${tenantId} and ${found}`
    })
  const addresses = (kind: 'email' | 'phone'): Column => ({
    some: (condition) => someAddress(tenantId, kind, sql`end_users.id`, condition),
    candidates: byOneLeaf((leaf) => {
      const found = withAddresses(tenantId, kind, leaf)
      return found && sql`select found.end_user_id as id from (${found}) found`
    }),
  })
  const members = (condition: Sql) =>
    sql`select member.end_user_id as id from company_members member where member.tenant_id = ${tenantId} and ${condition}`
  const columns: Record<EndUserField, Column> = {
    // Also the ids of those that were merged into the end user.
    external_id: {
      some: (condition) => sql`(coalesce(${condition(sql`end_users.external_id`)}, false) or exists (
        select 1 from end_users alias where alias.tenant_id = ${tenantId} and alias.merged_into_id = end_users.id
          and ${condition(sql`alias.external_id`)}))`,
      candidates: byOneLeaf(({ op, values }) =>
        op === 'is' || op === 'in'
          ? sql`select unnest(array[named.id, named.merged_into_id]) as id from end_users named
              where named.tenant_id = ${tenantId} and named.external_id = any(${values}::text[])`
          : undefined,
      ),
    },
    name: valueColumn(sql`end_users.name`),
    email: addresses('email'),
    phone: addresses('phone'),
    company_id: {
      some: (condition) =>
        sql`exists (select 1 from unnest(end_users.company_ids) company (id) where ${condition(sql`company.id`)})`,
      candidates: byOneLeaf(({ op, values }) =>
        op === 'is' || op === 'in' ? members(sql`member.company_id = any(${values}::uuid[])`) : undefined,
      ),
    },
    status: valueColumn(sql`case when end_users.erased_at is not null then 'erased'
      when end_users.merged_into_id is not null then 'merged' when end_users.blocked_at is not null then 'blocked' else 'active' end`),
    verified: valueColumn(sql`(end_users.verified_at is not null)`),
    language: valueColumn(sql`end_users.language`),
    created_at: whole(sql`end_users.created_at`, (leaf) => idsCreatedFor(sql`id`, leaf, now)),
    updated_at: valueColumn(sql`end_users.updated_at`),
    last_seen_at: valueColumn(sql`end_users.last_seen_at`),
  }
  return (name) => {
    if (Object.hasOwn(columns, name)) return columns[name as EndUserField]
    const { field, prefix } = customFieldNamed(name, custom)!
    if (prefix === 'custom_fields.')
      return {
        ...customColumn(field, sql`end_users.custom_values`),
        candidates: (leaves) => customCandidates(field, leaves, tenantId, now),
      }
    return {
      some: (condition) => sql`exists (select 1 from unnest(end_users.company_ids) of_company (id)
        join companies on companies.tenant_id = ${tenantId} and companies.id = of_company.id
        where ${customColumn(field, sql`companies.custom_values`).some(condition)})`,
      candidates: byOneLeaf((leaf) => {
        const found = customCandidates(field, [leaf], tenantId, now)
        return found && members(sql`member.company_id in (${found})`)
      }),
    }
  }
}

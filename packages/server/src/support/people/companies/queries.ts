import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { searchQuery, searchTokens } from '../../../platform/search/search-text.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import {
  type CustomValue,
  customValuesIn,
  storedValues,
} from '../../properties/custom-fields/values/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import { asciiHostName } from './host-names.ts'

export type Company = RowOf<
  'companies',
  {
    /** In lower case and ASCII. */
    domains: string[]
    metadata: Record<string, string>
    custom_fields: CustomValue[]
    end_user_count: number
  },
  'name_key' | 'search'
>

/** The memberships are those of `company_ids` of end users. A merge passes them on to the target. */
export const companyTable = defineTable<Company>({
  name: 'companies',
  columns: tables.companies,
  derived: {
    name_key: { type: 'text', value: (row) => nameKey(row.name) },
    search: {
      type: 'tsvector',
      value: (row) => searchTokens([row.name, row.external_id ?? '', ...row.domains].join(' ')),
    },
    custom_values: storedValues,
  },
  joined: {
    custom_fields: customValuesIn(sql`companies.custom_values`),
    end_user_count: (tenantId) => sql`(select count(*) from company_members m
      where m.tenant_id = ${tenantId} and m.company_id = companies.id)`,
  },
})

export const companyOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<Company>>

type CompanyFilter = { external_id?: string; domain?: string; q?: string }

export function companyConditions({ external_id, domain, q }: CompanyFilter, tenantId: string): Sql[] {
  const conditions: Sql[] = []
  if (external_id !== undefined) conditions.push(sql`companies.external_id = ${external_id}`)
  if (domain !== undefined)
    conditions.push(sql`companies.id = (select d.company_id from company_domains d
      where d.tenant_id = ${tenantId} and d.domain = ${asciiHostName(domain) ?? ''})`)
  if (q !== undefined) {
    const query = searchQuery(q)
    conditions.push(query === null ? sql`false` : sql`companies.search @@ ${query}::tsquery`)
  }
  return conditions
}

export const findCompanyByExternalId = (
  db: Db,
  tenantId: string,
  externalId: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from companies where tenant_id = ${tenantId} and external_id = ${externalId}`)

/** Another company with one of the domains. */
export const findOwnerOfDomains = (
  db: Db,
  tenantId: string,
  { id, domains }: Pick<Company, 'id' | 'domains'>,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select company_id as id from company_domains
    where tenant_id = ${tenantId} and domain = any(${domains}::text[]) and company_id <> ${id} limit 1`)

type Domain = { domain: string; company_id: string }

const domainRows = rowSet<Domain>({
  domain: ['text', ({ domain }) => domain],
  company_id: ['uuid', ({ company_id }) => company_id],
})

export const insertDomains = (tenantId: string, domains: Domain[]): Sql =>
  sql`insert into company_domains (tenant_id, domain, company_id)
    select ${tenantId}::uuid, domain, company_id from ${domainRows(domains)}`

export const deleteDomains = (tenantId: string, domains: Domain[]): Sql =>
  sql`delete from company_domains using ${domainRows(domains)} where company_domains.tenant_id = ${tenantId}
    and company_domains.domain = v.domain and company_domains.company_id = v.company_id`

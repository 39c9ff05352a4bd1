import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Company, companyTable, findCompanyByExternalId, findOwnerOfDomains } from './queries.ts'
import { companyWire } from './schema.ts'

const events = ['company.created', 'company.updated', 'company.deleted'] as const

export const companies: Entity<Company, (typeof events)[number]> = {
  type: 'company',
  prefix: declareIds('company', 'co'),
  events,
  table: companyTable,
  wire: companyWire,
  unique: {
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findCompanyByExternalId(db, tenantId, id),
    domains: (company, db, tenantId) =>
      company.domains.length === 0 ? null : findOwnerOfDomains(db, tenantId, company),
  },
}

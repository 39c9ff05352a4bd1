import { typeId } from '../../../platform/kernel/ids.ts'
import { crud } from '../../../platform/resource/crud.ts'
import { upsert } from '../../../platform/resource/resource.ts'
import { createCompany, deleteCompany, updateCompany, upsertCompany } from './actions.ts'
import { companyConditions, companyOrders, companyTable } from './queries.ts'
import {
  CompanyFilters,
  CompanyPatch,
  CompanyPath,
  CompanyUpsert,
  companyExample,
  companyWire,
  NewCompany,
} from './schema.ts'

export const routes = [
  ...crud({
    path: '/companies',
    family: 'companies',
    prefix: 'co',
    noun: 'company',
    plural: 'companies',
    wire: companyWire,
    table: companyTable,
    orders: companyOrders,
    filters: CompanyFilters,
    conditions: (query, ctx) => companyConditions(query, ctx.env.tenantId),
    create: {
      description:
        'Creates a company. Several can have one name. To create or update a company by your own id, use `PUT /v1/companies/external/{external_id}`.',
      body: NewCompany,
      example: { external_id: 'acme-1', name: 'Acme', domains: ['acme.example'] },
      replyExample: { ...companyExample, end_user_count: 0 },
      handle: createCompany,
    },
    list: { description: 'Lists the companies with the number of their end users.' },
    read: { description: 'Returns a company by its id.' },
    update: {
      description:
        'Domains are replaced as a whole. An archived company stays where it is but cannot be given to anything else.',
      body: CompanyPatch,
      example: { name: 'Acme International' },
      replyExample: { ...companyExample, name: 'Acme International', version: 2 },
      handle: (change, patch, id) => updateCompany(change, id, patch),
    },
    remove: {
      description:
        'A company that end users or conversations refer to cannot be deleted (409). Archive it instead.',
      handle: deleteCompany,
    },
  }),
  upsert({
    path: '/companies/external/{external_id}',
    name: 'upsertCompany',
    summary: 'Create or update a company by external id',
    description:
      'Creates the company with this `external_id` (201), or merges the body into the one that has it (200). Members that the body omits stay as they are. Concurrent requests with a new id create one company.',
    scope: 'companies:write',
    texts: CompanyPath,
    errors: ['already_exists'],
    body: CompanyUpsert,
    bodyExample: { name: 'Acme', domains: ['acme.example'] },
    reply: companyWire,
    location: ({ id }) => `/companies/${typeId('co', id)}`,
    handle: (change, { params, body }) => upsertCompany(change, params.external_id!, body),
  }),
]

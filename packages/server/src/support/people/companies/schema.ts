import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Distinct,
  Enum,
  Id,
  Int,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { Query } from '../../../platform/search/parameter.ts'
import {
  CustomFields,
  CustomFieldsPatch,
  NewCustomFields,
} from '../../properties/custom-fields/values/schema.ts'
import { shownValues } from '../../properties/custom-fields/values/shown.ts'
import { asciiHostName } from './host-names.ts'
import type { Company } from './queries.ts'

/** Characters of host names: letters of any script, digits, hyphens and dots. */
const HostName = (notes: { description?: string } = {}) =>
  WithCheck(
    Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s\\u0000-,/:-@\\[-`{-\\u007f\\ud800-\\udfff]+$',
      examples: ['example.com'],
      ...notes,
    }),
    (text) => (asciiHostName(text) === null ? [{ code: 'bad_format', detail: 'must be a host name' }] : []),
  )

const externalId = Text(1, 255, {
  description: "The company's id in your system, unique among companies.",
  examples: ['acme-1'],
})

const fields = {
  name: Name(200, { description: 'The name. Need not be unique.' }),
  domains: Distinct(
    List(HostName(), 20, {
      description:
        'The host names of its websites and e-mail addresses, in lower case; international ones in their ASCII form. Each belongs to one company.',
    }),
    'must not repeat a domain',
    asciiHostName,
  ),
}

export const companyExample = {
  id: 'co_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'company',
  external_id: 'acme-1',
  name: 'Acme',
  domains: ['acme.example'],
  end_user_count: 3,
  custom_fields: {},
  archived: false,
  metadata: {},
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const companyWire = defineWire<Company>({
  name: 'Company',
  schema: Shape({
    id: Id('co'),
    object: Enum(['company']),
    external_id: Nullable(externalId),
    ...fields,
    end_user_count: Int(0, 2147483647, {
      description: 'The number of end users of the company. Does not increase `version`.',
    }),
    custom_fields: CustomFields(),
    archived: Archived(),
    metadata: Metadata(),
    ...revision,
  }),
  example: companyExample,
  present: (row) => ({
    id: typeId('co', row.id),
    object: 'company',
    external_id: row.external_id,
    name: row.name,
    domains: row.domains,
    end_user_count: row.end_user_count,
    custom_fields: shownValues(row.custom_fields),
    archived: row.archived,
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewCompany = Shape({
  external_id: Optional(Nullable(externalId)),
  name: fields.name,
  domains: Optional(fields.domains),
  custom_fields: Optional(NewCustomFields()),
  metadata: Optional(Metadata()),
  archived: Optional(Archived({ default: false })),
})
export type NewCompany = Members<typeof NewCompany>

const changeable = {
  ...fields,
  custom_fields: CustomFieldsPatch(),
  archived: Archived(),
  metadata: MetadataPatch(),
}

export const CompanyPatch = PartialShape({
  external_id: Nullable(externalId, {
    description: "The company's id in your system. One that is set cannot be changed.",
  }),
  ...changeable,
})
export type CompanyPatch = Members<typeof CompanyPatch>

/** The body of a PUT; its path names the external id. */
export const CompanyUpsert = PartialShape({
  ...changeable,
  name: Name(200, { description: 'The name. Required for a company that does not exist yet.' }),
})
export type CompanyUpsert = Members<typeof CompanyUpsert>

export const CompanyPath = Shape({ external_id: externalId })

export const CompanyFilters = Shape({
  external_id: Optional(
    Text(1, 255, { description: 'Return only the company with this `external_id`, an exact match.' }),
  ),
  domain: Optional(
    HostName({ description: 'Return only the company with this domain, regardless of case.' }),
  ),
  q: Query(
    'Return only companies with all of these words in their name, domains or external id, regardless of case and accents. The last word may be the beginning of one.',
  ),
})

import { invalidBody } from '../../../platform/kernel/errors.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { newValues, patchedValues } from '../../properties/custom-fields/values/values.ts'
import { companies } from './entity.ts'
import { asciiHostName } from './host-names.ts'
import { type Company, findCompanyByExternalId } from './queries.ts'
import type { CompanyPatch, CompanyUpsert, NewCompany } from './schema.ts'

export async function createCompany(change: Change, input: NewCompany): Promise<Company> {
  const references = new References(change)
  const custom_fields = await newValues(change, references, 'company', input.custom_fields)
  references.check()
  return change.rows.create(companies, {
    ...change.stamp(),
    external_id: input.external_id ?? null,
    name: input.name,
    domains: hostNames(input.domains) ?? [],
    custom_fields,
    metadata: input.metadata ?? {},
    archived: input.archived ?? false,
    end_user_count: 0,
  })
}

export async function updateCompany(change: Change, id: string, patch: CompanyPatch): Promise<Company> {
  return patched(change, await change.rows.load(companies, id), patch)
}

/** Creates the company with this external id, or updates it. */
export async function upsertCompany(
  change: Change,
  externalId: string,
  input: CompanyUpsert,
): Promise<Company> {
  const { db, tenantId } = change
  const known = await change.rows.loadIfAny(companies, externalId, () =>
    findCompanyByExternalId(db, tenantId, externalId),
  )
  if (known) return patched(change, known, input)
  const { name, metadata, custom_fields, ...others } = input
  if (name === undefined) throw invalidBody({ pointer: '/name', code: 'required', detail: 'is required' })
  const company = await createCompany(change, {
    ...others,
    ...(custom_fields == null ? {} : { custom_fields }),
    name,
    external_id: externalId,
    metadata: mergeMetadata({}, metadata),
  })
  change.repeatIfTaken(company, 'external_id')
  return company
}

/** @throws ApiError 409 `resource_in_use` if end users or conversations refer to it */
export async function deleteCompany(change: Change, id: string): Promise<void> {
  change.rows.remove(companies, await change.rows.load(companies, id))
}

async function patched(change: Change, company: Company, patch: CompanyPatch): Promise<Company> {
  const { metadata, domains, custom_fields, ...plain } = patch
  const { external_id = company.external_id } = patch
  if (company.external_id !== null && external_id !== company.external_id)
    throw invalidBody({
      pointer: '/external_id',
      code: 'not_allowed',
      detail: 'is set and cannot be changed',
    })
  const references = new References(change)
  const values = await patchedValues(change, references, 'company', company.custom_fields, custom_fields)
  references.check()
  return change.rows.update(companies, company, {
    ...plain,
    ...(values ? { custom_fields: values } : {}),
    domains: hostNames(domains) ?? company.domains,
    metadata: mergeMetadata(company.metadata, metadata),
  })
}

/** The host names of a body in their one form. */
const hostNames = (given: string[] | undefined): string[] | undefined =>
  given?.map((text) => asciiHostName(text)!)

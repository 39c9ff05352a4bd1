import { ApiError, type FieldError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { patchedValues } from '../../properties/custom-fields/values/values.ts'
import { companies } from '../companies/entity.ts'
import { endUsers } from './entity.ts'
import { requireAllowed } from './identity.ts'
import { refuseHeld } from './legal-hold.ts'
import { createNamed, newEndUser } from './naming.ts'
import {
  countConversationsOf,
  deleteParticipations,
  type EndUser,
  findEndUserByExternalId,
  idsOfEndUser,
} from './queries.ts'
import type { EndUserPatch, EndUserUpsert, NewEndUser } from './schema.ts'

export async function createEndUser(change: Change, input: NewEndUser): Promise<EndUser> {
  const { external_id = null, metadata = {}, ...fields } = input
  const checked = await checkedFields(change, fields, null)
  return change.rows.create(endUsers, newEndUser(change, { ...checked, external_id, metadata }))
}

export async function updateEndUser(change: Change, id: string, patch: EndUserPatch): Promise<EndUser> {
  return patchEndUser(change, await change.rows.load(endUsers, id), patch)
}

/** Creates the end user with an external id, or patches it. */
export async function upsertEndUser(
  change: Change,
  externalId: string,
  patch: EndUserUpsert,
): Promise<EndUser> {
  const named = await change.rows.loadIfAny(endUsers, externalId, () =>
    findEndUserByExternalId(change.db, change.tenantId, externalId),
  )
  if (named) return patchEndUser(change, named, patch)
  const { metadata, ...fields } = patch
  const checked = await checkedFields(change, fields, null)
  return createNamed(change, externalId, { ...checked, metadata: mergeMetadata({}, metadata) })
}

async function patchEndUser(change: Change, endUser: EndUser, patch: EndUserPatch): Promise<EndUser> {
  requireAllowed('attach', endUser)
  const { external_id, metadata, ...fields } = patch
  const isNamed = external_id !== undefined && external_id !== endUser.external_id
  const faults: FieldError[] =
    isNamed && endUser.external_id !== null
      ? [{ pointer: '/external_id', code: 'not_allowed', detail: 'cannot be changed once it is set' }]
      : []
  const checked = await checkedFields(change, fields, endUser, faults)
  return change.rows.update(endUsers, endUser, {
    ...checked,
    ...(isNamed ? { external_id } : {}),
    metadata: mergeMetadata(endUser.metadata, metadata),
  })
}

type Fields = Omit<EndUserUpsert, 'metadata'>

/** The columns of given fields. @throws ApiError `validation_failed` with all faults */
async function checkedFields(
  change: Change,
  { custom_fields, ...given }: Fields,
  before: EndUser | null,
  faults: FieldError[] = [],
): Promise<Partial<EndUser>> {
  const { emails, phones, company_ids, ...plain } = given
  const references = new References(change)
  for (const fault of faults) references.fault(fault)
  const members = company_ids && (await companiesOf(references, company_ids, before))
  const values = await patchedValues(
    change,
    references,
    'end_user',
    before?.custom_fields ?? [],
    custom_fields,
  )
  references.check()
  return {
    ...plain,
    ...(values ? { custom_fields: values } : {}),
    // Null clears a list.
    ...(emails === undefined
      ? {}
      : { emails: (emails ?? []).map(({ address, verified = false }) => ({ address, verified })) }),
    ...(phones === undefined ? {} : { phones: phones ?? [] }),
    ...(members === undefined ? {} : { company_ids: members ?? [] }),
  }
}

async function companiesOf(references: References, ids: string[], before: EndUser | null): Promise<string[]> {
  const found = new Set<string>()
  for (const [i, id] of ids.entries()) {
    const kept = before?.company_ids.find((each) => typeId('co', each) === id) ?? null
    const company = await references.to(companies, `/company_ids/${i}`, id, kept)
    if (company) found.add(company.id)
  }
  return [...found]
}

/** Deletes an end user without conversations; its sessions end. */
export async function deleteEndUser(change: Change, id: string): Promise<void> {
  const endUser = await change.rows.load(endUsers, id)
  if (endUser.merged_into_id !== null) throw new ApiError('resource_in_use', { hint: null })
  const ids = await idsOfEndUser(change.db, change.tenantId, id)
  if (ids.length > 1 || (await countConversationsOf(change.db, change.tenantId, ids)) > 0)
    throw new ApiError('resource_in_use', { hint: 'block_or_merge' })
  refuseHeld(change, endUser)
  change.effects.write(deleteParticipations(change.tenantId, id))
  change.rows.remove(endUsers, endUser)
}

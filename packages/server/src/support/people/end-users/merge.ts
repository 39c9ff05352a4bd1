import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { maxMetadataKeys } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { inOrder, isSameValue } from '../../properties/custom-fields/values/check.ts'
import type { CustomValue } from '../../properties/custom-fields/values/queries.ts'
import { blockExpiry, endUsers } from './entity.ts'
import { decide, identityStateOf, statusOf, swallowsVerified } from './identity.ts'
import { noLegalHold } from './legal-hold.ts'
import { noBlock } from './naming.ts'
import {
  countConversationsOf,
  type EmailAddress,
  type EndUser,
  emailKey,
  idsOfEndUser,
  passOnAliases,
} from './queries.ts'
import { type EndUserMerge, type EndUserMergeResult, maxAddresses, maxCompanies } from './schema.ts'

/** Merges an end user into another one, as a client asks. */
export async function mergeEndUser(
  change: Change,
  id: string,
  { into_id, dry_run = false, keep_alias = false }: EndUserMerge,
): Promise<EndUserMergeResult> {
  const source = await change.rows.load(endUsers, id)
  const references = new References(change)
  const target = await references.to(endUsers, '/into_id', into_id)
  const pointer = '/into_id'
  if (target?.id === source.id)
    references.fault({ pointer, code: 'not_allowed', detail: 'must be another end user' })
  else if (target && decide('merge_into', identityStateOf(target)) !== 'yes')
    references.fault({ pointer, code: 'not_allowed', detail: `must not be ${statusOf(target)}` })
  references.check()
  const decision = decide('merge_from', identityStateOf(source))
  if (decision !== 'yes') throw new ApiError('identity_conflict', { reason: decision })
  const result = merge(change, source, target!, keep_alias)
  const ids = await idsOfEndUser(change.db, change.tenantId, source.id)
  const moved_conversations = await countConversationsOf(change.db, change.tenantId, ids)
  if (dry_run) change.discard()
  return { ...result, moved_conversations }
}

/**
 * Merges two end users. Both rows are written with their versions, so that of two merges that share an end user the
 * second runs again and sees the first.
 * @throws ApiError `identity_conflict`
 */
export function merge(
  change: Change,
  source: EndUser,
  target: EndUser,
  keepsAlias = false,
): Omit<EndUserMergeResult, 'moved_conversations'> {
  if (swallowsVerified(source, target))
    throw new ApiError('identity_conflict', { reason: 'target_unverified' })
  const bothNamed = source.external_id !== null && target.external_id !== null
  if (bothNamed && !keepsAlias) throw new ApiError('identity_conflict', { reason: 'two_external_ids' })
  const { united, taken, conflicts } = unite(source, target, bothNamed)
  const updated = change.rows.update(endUsers, target, united, 'end_user.updated')
  const end_user = change.rows.bumpVersion(endUsers, updated, 'end_user.updated')
  if (source.blocked_until) change.jobs.cancel(blockExpiry, source.id)
  change.rows.update(
    endUsers,
    source,
    {
      merged_into_id: target.id,
      ...(bothNamed ? {} : { external_id: null }),
      emails: [],
      phones: [],
      company_ids: [],
      custom_fields: [],
      ...noBlock,
      ...noLegalHold,
    },
    'end_user.merged',
  )
  change.effects.write(passOnAliases(change.tenantId, source.id, target.id))
  return { end_user, taken, conflicts }
}

type Conflict = EndUserMergeResult['conflicts'][number]

/** The target with what it lacks from the source. Where both have a value, the target's stays. */
function unite(source: EndUser, target: EndUser, keepsAlias: boolean) {
  const united: Partial<EndUser> = {}
  const taken: string[] = []
  const conflicts: Conflict[] = []
  for (const field of ['name', 'language', 'timezone', 'avatar_url', 'external_id'] as const) {
    const [kept, other] = [target[field], source[field]]
    if (other === null || other === kept || (field === 'external_id' && keepsAlias)) continue
    if (kept !== null) conflicts.push({ field, kept, dropped: other })
    else {
      united[field] = other
      taken.push(field)
    }
  }
  const lists = {
    emails: withAddresses(target.emails, source.emails),
    phones: withOthers(target.phones, source.phones, maxAddresses),
    company_ids: withOthers(target.company_ids, source.company_ids, maxCompanies),
  }
  for (const field of ['emails', 'phones', 'company_ids'] as const) {
    const { kept, dropped } = lists[field]
    if (dropped.length > 0)
      conflicts.push({ field, kept: shownIn(field, kept), dropped: shownIn(field, dropped) })
    if (JSON.stringify(kept) === JSON.stringify(target[field])) continue
    Object.assign(united, { [field]: kept })
    taken.push(field)
  }
  if (target.legal_hold_since === null && source.legal_hold_since !== null) {
    const { legal_hold_reason, legal_hold_since } = source
    Object.assign(united, { legal_hold_reason, legal_hold_since })
  }
  const metadata = { ...target.metadata }
  for (const [key, value] of Object.entries(source.metadata)) {
    const kept = target.metadata[key]
    if (kept === undefined && Object.keys(metadata).length < maxMetadataKeys) metadata[key] = value
    else if (kept !== value) conflicts.push({ field: `metadata.${key}`, kept: kept ?? null, dropped: value })
  }
  if (Object.keys(metadata).length > Object.keys(target.metadata).length) {
    united.metadata = metadata
    taken.push('metadata')
  }
  const values = withValues(target.custom_fields, source.custom_fields)
  conflicts.push(...values.conflicts)
  if (values.united.length > target.custom_fields.length) {
    united.custom_fields = values.united
    taken.push('custom_fields')
  }
  return { united, taken, conflicts }
}

/** Values of custom fields; those of the target stay. */
function withValues(own: CustomValue[], others: CustomValue[]) {
  const united = [...own]
  const conflicts: Conflict[] = []
  for (const other of others) {
    const kept = own.find(({ field_id }) => field_id === other.field_id)
    if (!kept) united.push(other)
    else if (!isSameValue(kept.value, other.value))
      conflicts.push({ field: `custom_fields.${other.key}`, kept: kept.value, dropped: other.value })
  }
  return { united: inOrder(united), conflicts }
}

/** Ids as clients know them. */
const shownIn = (field: string, values: unknown[]): unknown[] =>
  field === 'company_ids' ? values.map((id) => typeId('co', id as string)) : values

/** A list with its limit, and what it has no room for. */
type United<Item> = { kept: Item[]; dropped: Item[] }

function withOthers(own: string[], others: string[], most: number): United<string> {
  const all = [...new Set([...own, ...others])]
  const room = Math.max(most, own.length)
  return { kept: all.slice(0, room), dropped: all.slice(room) }
}

/** An address that both have is verified if one of them is. A verified address of the source is never dropped. */
function withAddresses(own: EmailAddress[], others: EmailAddress[]): United<EmailAddress> {
  const known = new Map(own.map((each) => [emailKey(each.address), each]))
  const dropped: EmailAddress[] = []
  for (const each of others.toSorted((one, other) => Number(other.verified) - Number(one.verified))) {
    const key = emailKey(each.address)
    const before = known.get(key)
    if (before) known.set(key, { ...before, verified: before.verified || each.verified })
    else if (each.verified || known.size < maxAddresses) known.set(key, each)
    else dropped.push(each)
  }
  return { kept: [...known.values()], dropped }
}

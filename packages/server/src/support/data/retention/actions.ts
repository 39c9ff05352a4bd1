import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { retentionPolicies } from './entity.ts'
import { faultsWith } from './filter.ts'
import { previewRetention, type RetentionPreview } from './finding.ts'
import type { RetentionPolicy } from './queries.ts'
import type { NewRetentionPolicy, RetentionPolicyPatch } from './schema.ts'

export async function createRetentionPolicy(
  change: Change,
  { status = 'paused', ...input }: NewRetentionPolicy,
): Promise<RetentionPolicy> {
  await checkFilter(change, input.filter)
  return change.rows.create(retentionPolicies, { ...change.stamp(), ...input, status })
}

export async function updateRetentionPolicy(
  change: Change,
  id: string,
  patch: RetentionPolicyPatch,
): Promise<RetentionPolicy> {
  const policy = await change.rows.load(retentionPolicies, id)
  if (patch.filter !== undefined) await checkFilter(change, patch.filter)
  return change.rows.update(retentionPolicies, policy, patch)
}

export async function deleteRetentionPolicy(change: Change, id: string): Promise<void> {
  change.rows.remove(retentionPolicies, await change.rows.load(retentionPolicies, id))
}

/** @throws ApiError `view_broken` for a filter that names what is no more */
export async function previewRetentionPolicy(change: Change, id: string): Promise<RetentionPreview> {
  const policy = await change.rows.peek(retentionPolicies, id)
  const preview = await previewRetention(change.ctx, policy)
  change.discard()
  return preview
}

async function checkFilter(change: Change, filter: unknown): Promise<void> {
  const references = new References(change)
  for (const fault of faultsWith(filter, await definitionsOf(change.db, change.tenantId)))
    references.fault({ ...fault, pointer: `/filter${fault.pointer}` })
  references.check()
}

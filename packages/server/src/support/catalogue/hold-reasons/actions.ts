import { typeId } from '../../../platform/kernel/ids.ts'
import { mergePatch } from '../../../platform/kernel/merge-patch.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { messageTemplates } from '../message-templates/entity.ts'
import { holdReasons } from './entity.ts'
import type { FollowUp, HoldReason } from './queries.ts'
import type { FollowUp as FollowUpInput, FollowUpPatch, HoldReasonPatch, NewHoldReason } from './schema.ts'

export async function createHoldReason(change: Change, input: NewHoldReason): Promise<HoldReason> {
  const references = new References(change)
  const row: HoldReason = {
    ...change.stamp(),
    name: input.name,
    description: input.description ?? null,
    waiting_on: input.waiting_on ?? 'third_party',
    pauses_sla: input.pauses_sla ?? true,
    resumes_on_reply: input.resumes_on_reply ?? true,
    requires_note: input.requires_note ?? false,
    default_duration_seconds: input.default_duration_seconds ?? null,
    max_duration_seconds: input.max_duration_seconds ?? null,
    on_expiry: input.on_expiry ?? 'resume',
    follow_up: await patchedFollowUp(change.ctx, references, null, input.follow_up),
    archived: input.archived ?? false,
  }
  checkDurations(references, row)
  references.check()
  return change.rows.create(holdReasons, row)
}

export async function updateHoldReason(
  change: Change,
  id: string,
  patch: HoldReasonPatch,
): Promise<HoldReason> {
  const before = await change.rows.load(holdReasons, id)
  const references = new References(change)
  const { follow_up: followUp, ...fields } = patch
  const after = {
    ...fields,
    follow_up: await patchedFollowUp(change.ctx, references, before.follow_up, followUp),
  }
  checkDurations(references, { ...before, ...after })
  references.check()
  return change.rows.update(holdReasons, before, after)
}

export async function deleteHoldReason(change: Change, id: string): Promise<void> {
  change.rows.remove(holdReasons, await change.rows.load(holdReasons, id))
}

/** A patch may contain one of the two, so the result of the patch is checked. */
function checkDurations(
  references: References,
  { default_duration_seconds: usual, max_duration_seconds: longest }: HoldReason,
): void {
  if (usual === null || longest === null || usual <= longest) return
  const detail = `must be at most max_duration_seconds, which is ${longest}`
  references.fault({ pointer: '/default_duration_seconds', code: 'too_large', detail })
}

async function patchedFollowUp(
  { principal }: Ctx,
  references: References,
  before: FollowUp | null,
  patch: FollowUpPatch | null | undefined,
): Promise<FollowUp | null> {
  if (patch === undefined) return before
  if (patch === null) return null
  requireScopes(principal.allows, 'messages:write') // it sends messages, though later
  const present = before && { ...before, template_id: typeId('tmpl', before.template_id) }
  const merged = mergePatch<FollowUpInput>(present, patch)
  for (const name of ['every_seconds', 'template_id', 'max_count'] as const) {
    if (merged[name] === undefined)
      references.fault({ pointer: `/follow_up/${name}`, code: 'required', detail: 'is required' })
  }
  const template_id =
    before && merged.template_id === present?.template_id
      ? before.template_id
      : await followUpTemplate(references, merged.template_id, before?.template_id)
  if (!merged.every_seconds || !merged.max_count || template_id === null) return before // an error was reported
  return { every_seconds: merged.every_seconds, template_id, max_count: merged.max_count }
}

async function followUpTemplate(
  references: References,
  id: string | undefined,
  kept: string | null = null,
): Promise<string | null> {
  return (await references.to(messageTemplates, '/follow_up/template_id', id, kept))?.id ?? null
}

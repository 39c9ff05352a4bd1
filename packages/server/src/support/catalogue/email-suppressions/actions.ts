import { type Instant, parseInstant } from '../../../platform/kernel/clock.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { canonicalAddress } from '../mailboxes/addresses.ts'
import { emailSuppressions } from './entity.ts'
import { type EmailSuppression, findSuppressionOf } from './queries.ts'
import type { NewSuppression } from './schema.ts'

/**
 * Suppresses an address. A suppression of it that has ended, and that its job has not yet removed, is replaced.
 * @throws ApiError 409 `already_exists` if the address is suppressed
 */
export async function createSuppression(change: Change, input: NewSuppression): Promise<EmailSuppression> {
  const references = new References(change)
  const expires_at = input.expires_at == null ? null : parseInstant(input.expires_at)!
  if (expires_at !== null && expires_at <= change.now)
    references.fault({ pointer: '/expires_at', code: 'too_small', detail: 'must be in the future' })
  const message = await references.to(change.entityOf('message'), '/message_id', input.message_id)
  references.check()
  const address = canonicalAddress(input.address)
  await removeEnded(change, address)
  return change.rows.create(emailSuppressions, {
    ...change.stamp(),
    address,
    reason: input.reason ?? 'manual',
    message_id: message?.id ?? null,
    expires_at,
  })
}

/** Suppresses an address, unless it is suppressed for longer. */
export async function suppress(
  change: Change,
  given: Pick<EmailSuppression, 'address' | 'reason' | 'message_id' | 'expires_at'>,
): Promise<void> {
  const found = await findSuppressionOf(change.db, change.tenantId, given.address)
  const former = found && (await change.rows.find(emailSuppressions, found.id))
  if (former && (former.expires_at === null || (given.expires_at ?? '9') <= former.expires_at)) return
  if (former) change.rows.remove(emailSuppressions, former)
  const created = change.rows.create(emailSuppressions, { ...change.stamp(), ...given })
  change.repeatIfTaken(created, 'address')
}

async function removeEnded(change: Change, address: string): Promise<void> {
  const found = await findSuppressionOf(change.db, change.tenantId, address)
  const former = found && (await change.rows.find(emailSuppressions, found.id))
  if (former && hasEnded(former, change.now)) change.rows.remove(emailSuppressions, former)
}

const hasEnded = ({ expires_at }: EmailSuppression, now: Instant): boolean =>
  expires_at !== null && expires_at <= now

export async function deleteSuppression(change: Change, id: string): Promise<void> {
  change.rows.remove(emailSuppressions, await change.rows.load(emailSuppressions, id))
}

/** The job of a suppression at its end. */
export async function expireSuppression(change: Change, id: string): Promise<void> {
  const suppression = await change.rows.find(emailSuppressions, id)
  if (suppression) change.rows.remove(emailSuppressions, suppression)
}

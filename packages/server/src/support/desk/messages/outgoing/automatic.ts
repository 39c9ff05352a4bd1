import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { countAutomatic, insertAutomatic } from './queries.ts'

/*
 * Mails that no person wrote can be answered by programs, which are answered again: an address gets only so many of
 * them.
 */

/** The most automatic mails to an address within an hour. */
const mostPerHour = 5
const hour = 3_600

/** Those of some addresses that get no further automatic mail now. @param addresses in their canonical form */
export async function limitedAddresses(change: Change, addresses: string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  for (const address of addresses.toSorted()) await change.lock(`automatic_email/${address}`)
  const counts = await countAutomatic(change.db, change.tenantId, addresses, plusSeconds(change.now, -hour))
  return new Set(counts.flatMap(({ address, count }) => (count >= mostPerHour ? address : [])))
}

/** Counts an automatic mail for the limits of its recipients. */
export function countAutomaticMail(change: Change, messageId: string, addresses: string[]): void {
  for (const address of addresses)
    change.effects.writeBatched(insertAutomatic, {
      address,
      message_id: messageId,
      created_at: change.now,
    })
}

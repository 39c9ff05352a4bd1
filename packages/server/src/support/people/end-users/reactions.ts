import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { recordValues } from '../../properties/custom-fields/values/values.ts'
import { endUsers } from './entity.ts'
import { peopleGeneration } from './naming.ts'
import {
  deleteAddresses,
  deleteMembers,
  type EndUser,
  emailKey,
  insertAddresses,
  insertMembers,
  raiseGenerations,
  type StoredAddress,
} from './queries.ts'

const addressesOf = (row: EndUser | null): StoredAddress[] =>
  row === null
    ? []
    : [
        ...row.emails.map(({ address, verified }) => ({
          kind: 'email' as const,
          address: emailKey(address),
          end_user_id: row.id,
          is_verified: verified,
        })),
        ...row.phones.map((address) => ({
          kind: 'phone' as const,
          address,
          end_user_id: row.id,
          is_verified: false,
        })),
      ]

/** The rows of one list that the other lacks. */
function without<Row>(rows: Row[], others: Row[]): Row[] {
  const known = new Set(others.map((each) => JSON.stringify(each)))
  return rows.filter((each) => !known.has(JSON.stringify(each)))
}

/** `end_user_addresses` is the inverse of `emails` and `phones`. */
function recordAddresses(change: Change, before: EndUser | null, after: EndUser | null): void {
  const [former, present] = [addressesOf(before), addressesOf(after)]
  const [gone, added] = [without(former, present), without(present, former)]
  // An address may pass from one end user to another in one statement: its removal comes first, in any order of rows.
  if (gone.length + added.length > 0) change.effects.writeBatched(removeAddresses, gone)
  if (added.length > 0) change.effects.writeBatched(addAddresses, added)
}

const removeAddresses = (tenantId: string, rows: StoredAddress[][]) => deleteAddresses(tenantId, rows.flat())
const addAddresses = (tenantId: string, rows: StoredAddress[][]) => insertAddresses(tenantId, rows.flat())

/** `company_members` is the inverse of `company_ids`. */
function recordMembers(change: Change, before: EndUser | null, after: EndUser | null): void {
  const end_user_id = (after ?? before)!.id
  const former = new Set(before?.company_ids)
  const present = new Set(after?.company_ids)
  for (const company_id of former.difference(present))
    change.effects.writeBatched(deleteMembers, { company_id, end_user_id })
  for (const company_id of present.difference(former))
    change.effects.writeBatched(insertMembers, { company_id, end_user_id })
}

/** The columns that conversations show of their end users, and by which writes for them are decided. */
const shown = ['external_id', 'merged_into_id', 'blocked_at', 'erased_at'] as const

/** Cached conversations show a former state after such a change. */
function outdateConversations(change: Change, before: EndUser | null, after: EndUser | null): void {
  if (before === null || (after && shown.every((name) => before[name] === after[name]))) return
  change.effects.writeCounter(raiseGenerations, null)
  peopleGeneration.forgetAfter(change)
}

export const endUserReactions = [recordAddresses, recordMembers, outdateConversations, recordValues].map(
  (react) => on(endUsers, react),
)

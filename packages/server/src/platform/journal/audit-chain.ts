import { hash } from 'node:crypto'
import { canonicalJson } from '../kernel/canonical-json.ts'

/*
 * The chain over the audit log of an environment, defined here alone:
 *
 *   link 0  = SHA-256("backline audit log of " ‖ the environment's UUID)
 *   link n  = SHA-256(link n-1 ‖ digest of entry n)
 *   digest  = SHA-256(the entry without `object`, and with `changes_digest` in place of `changes`)
 *   changes_digest = SHA-256({ field: SHA-256({ from, to }) for each field of `changes` })
 *
 * where objects are digested as RFC 8785 writes them, and digests inside of objects are hexadecimal. A head is a link. It
 * depends on the entries and on nothing else: whoever has an export can compute it. Why fields are digested one by one: an
 * erasure takes the text of a field and leaves its digest (docs/adr/0016-audit-chain.md).
 */

export type Changes = Record<string, { from: unknown; to: unknown }>

/** An entry of the audit log as it is sealed, but for its changes. */
export type SealedFacts = {
  id: string
  action: string
  actor: { type: string; id: string | null; operator_id: string | null }
  target: { type: string; id: string }
  request_id: string | null
  ip: string | null
  user_agent: string | null
  created_at: string
}

/** Bytes of a digest or link. */
export const digestLength = 32

/** One buffer for all, because a chain of a million links joins a million times. */
const joined = Buffer.alloc(2 * digestLength)
const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** Digests of what is not told any more, in hexadecimal, by field. */
export type Erased = Record<string, string>

const fieldDigest = (change: Changes[string]): string => hash('sha256', canonicalJson(change), 'hex')

/** @param erased counts only where nothing is told: it cannot cover up that something else is */
export function changesDigest(changes: Changes, erased: Erased = {}): Buffer {
  const digests = Object.entries(changes).map(([field, change]) => [
    field,
    isBlank(change) && Object.hasOwn(erased, field) ? erased[field] : fieldDigest(change),
  ])
  return sha256(canonicalJson(Object.fromEntries(digests)))
}

const isBlank = ({ from, to }: Changes[string]) => [from, to].every((value) => value === '' || value === null)

/** What an erasure took from the changes that an event tells. */
export function erasedBetween(before: Changes, after: Changes): Erased {
  const digests = Object.entries(before).map(([field, change]) => [field, fieldDigest(change)] as const)
  return Object.fromEntries(
    digests.filter(([field, digest]) => !after[field] || fieldDigest(after[field]) !== digest),
  )
}

/** @param changes the digest of the entry's changes */
export function entryDigest(facts: SealedFacts, changes: Buffer): Buffer {
  const { id, action, actor, target, request_id, ip, user_agent, created_at } = facts
  // In the order of RFC 8785 already; all of it is texts and nulls.
  return sha256(
    JSON.stringify({
      action,
      actor: { id: actor.id, operator_id: actor.operator_id, type: actor.type },
      changes_digest: changes.toString('hex'),
      created_at,
      id,
      ip,
      request_id,
      target: { id: target.id, type: target.type },
      user_agent,
    }),
  )
}

export const firstLink = (environmentId: string): Buffer => sha256(`backline audit log of ${environmentId}`)

export function nextLink(link: Buffer, digest: Buffer): Buffer {
  link.copy(joined, 0)
  digest.copy(joined, digestLength)
  return sha256(joined)
}

/**
 * The changes that an event tells, by field: from what `previous` says to what `object` shows. Reads of `object` only
 * the fields that `previous` names; all other ones may have been taken away since.
 * @param event JSON texts; `object` may be null where `previous` is empty
 */
export function changesOf(event: { object: string | null; previous: string }): Changes {
  const from = membersOf(event.previous)
  if (from.length === 0) return {}
  const to = new Map(membersOf(event.object ?? '{}'))
  return Object.fromEntries(from.map(([field, was]) => [field, { from: was, to: to.get(field) ?? null }]))
}

/** Of what is no object there are none: whoever tampers with the database may have put anything there. */
function membersOf(text: string): [string, unknown][] {
  const value = JSON.parse(text)
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
}

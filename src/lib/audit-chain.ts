import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/*
 * The chain over the audit log of an environment, defined here alone:
 *
 *   link 0  = SHA-256("backline audit log of " ‖ the environment's UUID)
 *   link n  = SHA-256(link n-1 ‖ digest of entry n)
 *   digest  = SHA-256(RFC 8785 JSON of the entry, without `object`, and with `changes_digest` in place of `changes`)
 *   changes_digest = hexadecimal SHA-256(RFC 8785 JSON of `changes`)
 *
 * A head is a link. It depends on the entries and on nothing else, so that whoever has an export can compute it. Why the
 * changes are digested by themselves: an erasure takes the text and leaves the digest (docs/adr/0016-audit-chain.md).
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

export const changesDigest = (changes: Changes): Buffer => sha256(canonicalJson(changes))

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

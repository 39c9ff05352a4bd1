import { hash } from 'node:crypto'
import { canonicalJson } from '../kernel/json.ts'

/*
 * The hash chain over the audit log of an environment. This is its only definition:
 *
 * link 0  = SHA-256("backline audit log of " ‖ the environment's UUID)
 * link n  = SHA-256(link n-1 ‖ digest of entry n)
 * digest  = SHA-256(the entry without `object`, and with `changes_digest` in place of `changes`)
 * changes_digest = SHA-256({ field: SHA-256({ from, to }) for each field of `changes` })
 *
 * Objects are digested in the form of RFC 8785; digests inside objects are hexadecimal. A head is a link. It depends
 * only on the entries, so it can be computed from an export. Fields are digested separately, because an erasure
 * removes the text of a field and keeps its digest (docs/adr/0016-audit-chain.md).
 */

export type Changes = Record<string, { from: unknown; to: unknown }>

/** The sealed part of an audit log entry, without its changes. */
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

/** Size of a digest or link in bytes. */
export const digestLength = 32

/** One shared buffer, because a chain of a million links joins a million times. */
const joined = Buffer.alloc(2 * digestLength)
/** Digests are made as latin1 text: Node needs a third of the time that it needs for a buffer. */
const sha256 = (data: string | Buffer): Buffer => Buffer.from(hash('sha256', data, 'latin1'), 'latin1')
const sha256Hex = (data: string): string => hash('sha256', data, 'hex')

/**
 * Digests of erased values by field, in hexadecimal. No field begins with an asterisk: `*by` names the stream with the
 * event that tells of the erasure, `*resource` the resource of that event if the stream is not named after it, `*entry`
 * is the digest of an entry whose address and client were erased.
 */
export type Erased = Record<string, string>

const isField = (name: string) => !name.startsWith('*')

const fieldDigest = ({ from, to }: Changes[string]): string =>
  sha256Hex(`{"from":${canonicalJson(from)},"to":${canonicalJson(to)}}`)

/** The changes of an event without any. */
const noChanges: Changes = Object.freeze({})
const digestOfNone = sha256Hex('{}')

/**
 * Returns the digest in hexadecimal.
 * @param erased counts only for fields that are emptied or gone; it cannot hide another change
 */
export function changesDigest(changes: Changes, erased: Erased = {}): string {
  const gone = Object.hasOwn(erased, '*by')
    ? Object.keys(erased).filter((name) => isField(name) && !Object.hasOwn(changes, name))
    : []
  if (changes === noChanges && gone.length === 0) return digestOfNone
  const members = [...Object.keys(changes), ...gone].sort().map((field) => {
    const change = changes[field] ?? noChange
    const isErased = isBlank(change) && Object.hasOwn(erased, field)
    return `${JSON.stringify(field)}:${canonicalJson(isErased ? erased[field] : fieldDigest(change))}`
  })
  return sha256Hex(`{${members.join(',')}}`)
}

const noChange: Changes[string] = { from: null, to: null }

export const isBlank = ({ from, to }: Changes[string]) => [from, to].every(isEmpty)

const isEmpty = (value: unknown) =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The fields that an erasure removed from the changes of an event. */
export function erasedBetween(before: Changes, after: Changes): Erased {
  const digests = Object.entries(before).map(([field, change]) => [field, fieldDigest(change)] as const)
  return Object.fromEntries(
    digests.filter(([field, digest]) => !after[field] || fieldDigest(after[field]) !== digest),
  )
}

/** @param changes the digest of the entry's changes */
export function entryDigest(facts: SealedFacts, changes: string): Buffer {
  const { id, action, actor, target, request_id, ip, user_agent, created_at } = facts
  // The members are in the order of RFC 8785. All values are strings or null.
  return sha256(
    JSON.stringify({
      action,
      actor: { id: actor.id, operator_id: actor.operator_id, type: actor.type },
      changes_digest: changes,
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

/** The ways in which an entry shows the values of a row. Those of an import are shown as of any new row. */
export type Recorded = 'created' | 'imported' | 'removed'

/** The parts of an event that its changes are made of. */
export type AuditedEvent = {
  /** JSON text; may be null if `previous` is empty and `audited` null. */
  object: string | null
  /** JSON text. */
  previous: string
  /** The fields whose values count, such as `created name,color`; null if a row was changed. Of imports
   * `imported …`, without fields if a row was changed. */
  audited: string | null
}

/**
 * The changes of an event by field: from the value in `previous` to the value in `object`; of a row that was created
 * from null to its values, of one that was removed from its values to null. Reads only the fields of `object` that
 * `previous` or `audited` names; retention may have removed the others.
 * @param maps the fields whose members change on their own; `changesOfMembers`
 */
export function changesOf({ object, previous, audited }: AuditedEvent, maps: ReadonlySet<string>): Changes {
  const from = previous === '{}' ? {} : mapOf(previous)
  const changed = Object.keys(from)
  if (changed.length === 0 && audited === null) return noChanges
  const to = mapOf(object ?? '{}')
  return changesOfMembers(
    [
      ...(audited === null ? [] : valuesOf(to, audited)),
      ...changed.map((field): Change => [field, { from: from[field], to: member(to, field) }]),
    ],
    maps,
  )
}

type Change = [field: string, change: Changes[string]]

/** The values of a row that was created or removed, without those that are null. */
function valuesOf(row: JsonMap, audited: string): Change[] {
  const [how, names = ''] = audited.split(' ')
  return names
    .split(',')
    .filter((field) => member(row, field) !== null)
    .map((field) => [
      field,
      how === 'removed' ? { from: row[field], to: null } : { from: null, to: row[field] },
    ])
}

/** Replaces the change of each field of `maps` by those of its members, such as `custom_fields.plan`. */
export const changesOfMembers = (changes: Change[], maps: ReadonlySet<string>): Changes =>
  Object.fromEntries(
    changes.flatMap(([field, change]) =>
      maps.has(field) && isMap(change.from) && isMap(change.to)
        ? membersBetween(change.from, change.to).map(([key, each]) => [`${field}.${key}`, each])
        : [[field, change]],
    ),
  )

type JsonMap = Record<string, unknown>

const isMap = (value: unknown): value is JsonMap =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const member = (map: JsonMap, key: string) => (Object.hasOwn(map, key) ? map[key] : null)

function membersBetween(from: JsonMap, to: JsonMap): Change[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((key): Change => [key, { from: member(from, key), to: member(to, key) }])
    .filter(([, change]) => JSON.stringify(change.from) !== JSON.stringify(change.to))
}

/** Empty for a value that is not an object: a tampered database can contain any JSON. */
function mapOf(text: string): JsonMap {
  const value = JSON.parse(text)
  return isMap(value) ? value : {}
}

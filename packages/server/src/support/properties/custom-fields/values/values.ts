import { invalidBody } from '../../../../platform/kernel/errors.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { References } from '../../../../platform/unit-of-work/references.ts'
import { tokenHolderOf } from '../../../vocabulary/principal.ts'
import { definitionsOf, knownDefinitions } from '../definitions.ts'
import type { CustomField, Subject } from '../queries.ts'
import { isSameValue, mergeValues, missingOf } from './check.ts'
import { indexTexts } from './index-text.ts'
import { type CustomValue, deleteIndexed, type IndexedValue, insertIndexed } from './queries.ts'

type Given = Record<string, unknown> | null | undefined

/** The fields that the credential of a change may write: an end user those that are open to end users. */
const writableBy = ({ ctx }: Change, fields: readonly CustomField[]): readonly CustomField[] =>
  tokenHolderOf(ctx) ? fields.filter(({ end_user_access }) => end_user_access === 'write') : fields

/** The values of a new object; faults go to `references`. */
export async function newValues(
  change: Change,
  references: Pick<References, 'fault'>,
  subject: Subject,
  given: Given,
): Promise<CustomValue[]> {
  if (subject !== 'conversation' && given === undefined) return []
  const { value: definitions } = await knownDefinitions.for(change)
  const fields = writableBy(change, definitions[subject])
  const values = mergeValues(fields, [], given ?? {}, (fault) => references.fault(fault))
  for (const { key } of missingOf(fields, 'create', values)) {
    const pointer = `/custom_fields/${key}`
    // A given value that is invalid has a fault already.
    const isGiven = given != null && Object.hasOwn(given, key) && given[key] !== null
    if (!isGiven) references.fault({ pointer, code: 'required', detail: 'is required' })
  }
  return values
}

/** The values of an object after a patch; undefined if they stay. Faults go to `references`. */
export async function patchedValues(
  change: Change,
  references: Pick<References, 'fault'>,
  subject: Subject,
  present: CustomValue[],
  given: Given,
): Promise<CustomValue[] | undefined> {
  if (given === undefined) return undefined
  const definitions = await definitionsOf(change.db, change.tenantId)
  const fields = writableBy(change, definitions[subject])
  const values = mergeValues(fields, present, given, (fault) => references.fault(fault))
  return isSameList(values, present) ? undefined : values
}

const isSameList = (one: CustomValue[], other: CustomValue[]): boolean =>
  one.length === other.length &&
  one.every(({ key, value }, i) => other[i]!.key === key && isSameValue(value, other[i]!.value))

/**
 * Work that falls due resolves conversations all the same.
 * @throws ApiError 422 with each field that a conversation must have a value for before a person or key resolves it
 */
export async function requireForResolving(change: Change, values: CustomValue[]): Promise<void> {
  if (change.ctx.principal.actor.type === 'system') return
  const { conversation } = (await knownDefinitions.for(change)).value
  const missing = missingOf(conversation, 'resolve', values)
  if (missing.length === 0) return
  const detail = 'is required before the conversation is resolved'
  throw invalidBody(
    ...missing.map(({ key }) => ({ pointer: `/custom_fields/${key}`, code: 'required' as const, detail })),
  )
}

type Holder = { id: string; custom_fields: CustomValue[] }

/** A reaction: keeps the index of values as the object is. */
export function recordValues(change: Change, before: Holder | null, after: Holder | null): void {
  if (before?.custom_fields === after?.custom_fields) return
  const former = entriesOf(before)
  const present = entriesOf(after)
  for (const [name, entry] of former)
    if (!present.has(name)) change.effects.writeBatched(deleteIndexed, entry)
  for (const [name, entry] of present)
    if (!former.has(name)) change.effects.writeBatched(insertIndexed, entry)
}

const entriesOf = (holder: Holder | null): Map<string, IndexedValue> =>
  new Map(
    holder?.custom_fields.flatMap(({ field_id, value }) =>
      indexTexts(value).map((text) => [
        `${field_id}/${text}`,
        { field_id, value: text, subject_id: holder.id },
      ]),
    ),
  )

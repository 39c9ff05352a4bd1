import { nameKey } from '../../../platform/kernel/names.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { createHoldReason } from '../../catalogue/hold-reasons/actions.ts'
import { holdReasons } from '../../catalogue/hold-reasons/entity.ts'
import { findHoldReasonByName, type HoldReason } from '../../catalogue/hold-reasons/queries.ts'
import { createTag, knownTags } from '../../catalogue/tags/actions.ts'
import { findTags, type StoredTag } from '../../catalogue/tags/queries.ts'
import type { ConversationEndUser } from '../../desk/conversations/queries.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { mergeValues } from '../../properties/custom-fields/values/check.ts'
import type { CustomValue } from '../../properties/custom-fields/values/queries.ts'
import type { Checked } from './conversation-lines.ts'
import type { ConversationReferences } from './conversation-rows.ts'
import type { ConversationLine } from './conversation-schema.ts'
import type { LineType } from './params.ts'
import { type FoundPeople, operatorsOf, peopleOf } from './people.ts'
import type { Known } from './queries.ts'
import { noSuch } from './validating.ts'
import type { Work } from './work.ts'

type Given = Checked<ConversationLine>

/** The objects that conversations refer to; each is looked up once for all of them. */
export type FoundReferences = FoundPeople & {
  operators: Map<string, string>
  companies: Map<string, Known>
  departments: Map<string, Known>
  categories: Map<string, Known>
  tagsByName: Map<string, StoredTag>
  tagsById: Map<string, StoredTag>
  holdReasons: Map<string, HoldReason>
}

/** The hold reason of conversations on hold whose lines name none. */
const usualReason = 'Imported'
const reasonOf = ({ hold }: ConversationLine): string => hold?.reason ?? usualReason

const each = (given: Given[], name: keyof ConversationLine): string[] =>
  given.flatMap(({ line }) => (line[name] as string | null | undefined) ?? [])

/**
 * Finds everything that the lines refer to, and makes unknown end users, operators, tags by name, and hold reasons.
 * @param owners the end users of stored conversations, which are read as well
 */
export async function findReferences(
  change: Change,
  work: Work,
  given: Given[],
  authors: { endUsers: string[]; operators: string[] },
  owners: string[],
): Promise<FoundReferences> {
  const { db, tenantId } = change
  const find = (type: LineType, ids: string[]) => work.resolver.find(db, tenantId, type, ids)
  const participants = given.flatMap(({ line }) => line.participant_external_ids ?? [])
  return {
    ...(await peopleOf(
      change,
      work,
      [...each(given, 'end_user_external_id'), ...participants, ...authors.endUsers],
      owners,
    )),
    operators: await operatorsOf(change, work, [
      ...each(given, 'assignee_external_id'),
      ...authors.operators,
    ]),
    companies: await find('company', each(given, 'company_external_id')),
    departments: await find('department', each(given, 'department_external_id')),
    categories: await find('category', each(given, 'category_external_id')),
    tagsByName: await tagsNamed(change, given),
    tagsById: await tagsWith(change, work, given),
    holdReasons: await holdReasonsOf(change, given),
  }
}

/** Tags by the key of their names, archived ones too: the past has them. */
async function tagsNamed(change: Change, given: Given[]): Promise<Map<string, StoredTag>> {
  const names = new Map(given.flatMap(({ line }) => (line.tags ?? []).map((name) => [nameKey(name), name])))
  const known = await knownTags(change, [...names.values()])
  const found = new Map<string, StoredTag>()
  for (const [key, name] of names) {
    const { id, name: shown } = known.get(key) ?? createTag(change, { name })
    found.set(key, { id, name: shown })
  }
  return found
}

/** Tags by their external ids. */
async function tagsWith(change: Change, work: Work, given: Given[]): Promise<Map<string, StoredTag>> {
  const externalIds = given.flatMap(({ line }) => line.tag_external_ids ?? [])
  const known = await work.resolver.find(change.db, change.tenantId, 'tag', externalIds)
  const ids = [...known.values()].flatMap(({ id }) => id ?? [])
  const tags = new Map((await findTags(change.db, change.tenantId, ids)).map((tag) => [tag.key, tag]))
  const found = new Map<string, StoredTag>()
  for (const [externalId, { id }] of known) {
    const tag = id === null ? undefined : tags.get(id)
    if (tag) found.set(externalId, { id: tag.id, name: tag.name })
  }
  return found
}

async function holdReasonsOf(change: Change, given: Given[]): Promise<Map<string, HoldReason>> {
  const names = given.flatMap(({ line }) => (line.status === 'on_hold' ? [reasonOf(line)] : []))
  const found = new Map<string, HoldReason>()
  for (const name of names) {
    const key = nameKey(name)
    if (found.has(key)) continue
    const known = await findHoldReasonByName(change.db, change.tenantId, name)
    const reason = known && (await change.rows.find(holdReasons, known.id))
    found.set(key, reason ?? (await createHoldReason(change, { name })))
  }
  return found
}

/** The objects of one line; its unknown references become faults of it. */
export async function referencesOf(
  change: Change,
  work: Work,
  { line, faults }: Given,
  found: FoundReferences,
  present: CustomValue[] = [],
): Promise<Omit<ConversationReferences, 'externalId'>> {
  const person = (pointer: string, externalId: string): ConversationEndUser | null => {
    const known = found.people.get(externalId)
    if (!known) faults.push({ pointer, code: 'not_allowed', detail: 'must not be an erased end user' })
    return known ?? null
  }
  const object = (
    type: 'company' | 'department' | 'category',
    objects: Map<string, Known>,
  ): string | null => {
    const name = `${type}_external_id` as const
    const externalId = line[name]
    if (externalId == null) return null
    const id = objects.get(externalId)?.id ?? null
    const isPromised = work.isDry && work.declared.get(type)?.has(externalId)
    if (id === null && !isPromised) faults.push(noSuch(`/${name}`, type))
    return id
  }
  const endUser = person('/end_user_external_id', line.end_user_external_id)
  const participants = (line.participant_external_ids ?? []).flatMap(
    (externalId, i) => person(`/participant_external_ids/${i}`, externalId)?.id ?? [],
  )
  return {
    endUser: endUser ?? { id: null, external_id: null, is_blocked: false, is_erased: false },
    participants: [...new Set(participants)].filter((id) => id !== endUser?.id),
    companyId: object('company', found.companies),
    departmentId: object('department', found.departments),
    categoryId: object('category', found.categories),
    assigneeId:
      line.assignee_external_id == null ? null : (found.operators.get(line.assignee_external_id) ?? null),
    tags: tagsOf(work, line, faults, found),
    customFields: await valuesOf(change, line, faults, present),
    holdReason: line.status === 'on_hold' ? found.holdReasons.get(nameKey(reasonOf(line)))! : null,
  }
}

function tagsOf(
  work: Work,
  { tags = [], tag_external_ids = [] }: ConversationLine,
  faults: ResultFault[],
  { tagsByName, tagsById }: FoundReferences,
): StoredTag[] {
  const found = tags.map((name) => tagsByName.get(nameKey(name))!)
  for (const [i, externalId] of tag_external_ids.entries()) {
    const tag = tagsById.get(externalId)
    if (tag) found.push(tag)
    else if (!(work.isDry && work.declared.get('tag')?.has(externalId)))
      faults.push(noSuch(`/tag_external_ids/${i}`, 'tag'))
  }
  return [...new Map(found.map((tag) => [tag.id, tag])).values()]
}

/** Fields that are required since are not missed in the past. */
async function valuesOf(
  { db, tenantId }: Change,
  { custom_fields }: ConversationLine,
  faults: ResultFault[],
  present: CustomValue[],
): Promise<CustomValue[]> {
  if (custom_fields === undefined) return present
  const { conversation } = await definitionsOf(db, tenantId)
  return mergeValues(conversation, present, custom_fields, (fault) => faults.push(fault))
}

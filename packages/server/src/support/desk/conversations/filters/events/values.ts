import type { Value, Values } from '../../../../../platform/filters/evaluate.ts'
import type { Field } from '../../../../../platform/filters/fields.ts'
import { instantOf } from '../../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../../../platform/kernel/ids.ts'
import { nameKey } from '../../../../../platform/kernel/names.ts'
import { shownValues } from '../../../../properties/custom-fields/values/shown.ts'
import { clockNames } from '../../../../sla/clocks/clocks.ts'
import { type ConversationField, slaStatuses } from '../fields.ts'
import type { PersonOfEvents, Shown } from './queries.ts'

/** The data that events do not have, as it is now. */
export type Known = {
  people: ReadonlyMap<string, PersonOfEvents>
  /** The values of custom fields of companies. */
  companies: ReadonlyMap<string, Record<string, unknown>>
  /** The names of merged tags, by the keys of their names. */
  tags: ReadonlyMap<string, string[]>
}

/**
 * The values of the fields of a conversation as the API shows it, in the form that leaves have.
 * @param at the time of which the clocks are shown
 */
export function valuesOf(
  shown: Shown,
  at: Instant,
  known: Known,
  fieldOf: (name: string) => Field | undefined,
): Values {
  const person = known.people.get(uuidIn(shown.end_user_id, 'eu') ?? '')
  const company = known.companies.get(uuidIn(shown.company_id, 'co') ?? '')
  const special: Partial<Record<ConversationField, () => unknown[]>> = {
    tags: () => allOf(shown.tags).flatMap((name) => [name, ...(known.tags.get(nameKey(String(name))) ?? [])]),
    end_user_id: () => [...idsIn([shown.end_user_id], 'eu'), ...(person?.ids ?? [])],
    external_user_id: () => [shown.external_user_id, ...(person?.external_ids ?? [])],
    'end_user.verified': () => (person ? [person.verified] : []),
    'end_user.email': () => person?.emails ?? [],
    'hold.hold_reason_id': () => idsIn([membersOf(shown.hold).hold_reason_id], 'hold'),
    'sla.status': () => worstOf(clocksOf(shown, at)),
    'sla.due_at': () => earliestDueOf(clocksOf(shown, at)),
  }
  const custom: Record<string, Record<string, unknown>> = {
    'custom_fields.': membersOf(shown.custom_fields),
    'end_user.custom_fields.': person ? shownValues(person.custom_fields) : {},
    'company.custom_fields.': company ?? {},
  }
  return (name) => {
    const field = fieldOf(name)!
    const values = Object.hasOwn(special, name) ? special[name as ConversationField]!() : plainly(name, field)
    return values.flatMap((value) => typed(value, field))
  }
  function plainly(name: string, { kind, prefix }: Field): unknown[] {
    const from = name.slice(0, name.lastIndexOf('.') + 1)
    const values = allOf(from === '' ? shown[name] : custom[from]![name.slice(from.length)])
    return kind === 'id' ? idsIn(values, prefix!) : values
  }
}

const allOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const uuidIn = (value: unknown, prefix: string): string | null =>
  typeof value === 'string' ? uuidOf(prefix, value) : null

const idsIn = (values: unknown[], prefix: string): string[] =>
  values.map((value) => uuidIn(value, prefix)).filter((id) => id !== null)

/** A value, unless it is of another kind: an event may have the value of a field whose key another one has now. */
function typed(value: unknown, { kind }: Field): Value[] {
  if (kind === 'number' || kind === 'boolean') return typeof value === kind ? [value as Value] : []
  if (typeof value !== 'string') return []
  if (kind !== 'time') return [value]
  const instant = instantOf(value)
  return instant === null ? [] : [instant]
}

type ShownClock = { status: string; due_at: Instant | null }

/** The clocks with a target. One that was shown as running is breached since it was due. */
function clocksOf({ sla }: Shown, at: Instant): ShownClock[] {
  return clockNames.flatMap((name) => {
    const { status, due_at } = membersOf(membersOf(sla)[name]) as ShownClock
    if (status === undefined) return []
    const isOverdue = status === 'running' && due_at !== null && due_at <= at
    return [{ status: isOverdue ? 'breached' : status, due_at }]
  })
}

const worstOf = (clocks: ShownClock[]): string[] => {
  const worst = slaStatuses.find((wanted) => clocks.some(({ status }) => status === wanted))
  return worst === undefined ? [] : [worst]
}

const earliestDueOf = (clocks: ShownClock[]): Instant[] =>
  clocks
    .flatMap(({ status, due_at }) => (status === 'running' && due_at !== null ? [due_at] : []))
    .toSorted()
    .slice(0, 1)

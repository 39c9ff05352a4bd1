import type { Instant } from '../../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Field, Value } from '../../../../platform/lists/field.ts'
import { instantOf } from '../../../../platform/lists/filter.ts'
import { clockNames } from '../../../sla/clocks/clocks.ts'
import type { PersonOfEvents, Shown } from './events.ts'

/** A conversation at the time of an event, with what the event does not have, as that is now. */
export type Judged = {
  /** The conversation as the API shows it. */
  shown: Shown
  person: PersonOfEvents | undefined
  /** The values of custom fields of its company. */
  company: Record<string, unknown> | undefined
  /** The names of merged tags, by the keys of their names. */
  namesakes: ReadonlyMap<string, string[]>
  /** The operators who follow it now. */
  followers: readonly string[]
  /** The clocks with a target, at the time of the event. */
  clocks: ShownClock[]
}

/** The values of a field of a conversation in the form that leaves have. */
export const valuesIn =
  (conversation: Judged) =>
  (name: string, field: Field): Value[] =>
    (field.valuesIn?.(conversation as never) ?? membersIn(conversation, name, field)).flatMap((value) =>
      typed(value, field),
    )

const membersIn = ({ shown }: Judged, name: string, { kind, prefix }: Field): unknown[] => {
  const values = [shown[name]].flat()
  return kind === 'id' ? values.map((id) => uuidIn(id, prefix!)) : values
}

export const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

export const uuidIn = (value: unknown, prefix: string): string | null =>
  typeof value === 'string' ? uuidOf(prefix, value) : null

/** A value, unless it is of another kind: an event may have the value of a field whose key another one has now. */
function typed(value: unknown, { kind }: Field): Value[] {
  if (kind === 'number' || kind === 'boolean') return typeof value === kind ? [value as Value] : []
  if (typeof value !== 'string') return []
  if (kind !== 'time') return [value]
  const instant = instantOf(value)
  return instant === null ? [] : [instant]
}

type ShownClock = { status: string; due_at: Instant | null; breached_at: Instant | null }

/** The clocks with a target. One that was shown as running is breached since it was due. */
export function clocksOf({ sla }: Shown, at: Instant): ShownClock[] {
  return clockNames.flatMap((name) => {
    const { status, due_at, breached_at } = membersOf(membersOf(sla)[name]) as ShownClock
    if (status === undefined) return []
    const isOverdue = status === 'running' && due_at !== null && due_at <= at
    return [isOverdue ? { status: 'breached', due_at, breached_at: due_at } : { status, due_at, breached_at }]
  })
}

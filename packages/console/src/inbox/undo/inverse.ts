import type { Conversation, JobResult, MacroActionInput } from '@backline/sdk'
import { isEqual } from '../../forms/changes.ts'

export type Changes = Record<string, { from: unknown; to: unknown }>

export const changesIn = ({ changes }: JobResult): Changes => (changes ?? {}) as Changes

const valuesPrefix = 'custom_fields.'

/** The fields that people change. */
const fields = [
  'status',
  'department_id',
  'assignee_id',
  'category_id',
  'priority',
  'tags',
  'company_id',
  'mailbox_id',
  'language',
] as const

/** The changes between two versions of a conversation, as a dry run tells them. */
export function changesBetween(before: Conversation, after: Conversation): Changes {
  const keys = new Set([...Object.keys(before.custom_fields), ...Object.keys(after.custom_fields)])
  const all: [string, unknown, unknown][] = [
    ...fields.map((field): [string, unknown, unknown] => [field, before[field], after[field]]),
    ...Array.from(keys, (key): [string, unknown, unknown] => [
      valuesPrefix + key,
      before.custom_fields[key] ?? null,
      after.custom_fields[key] ?? null,
    ]),
  ]
  return Object.fromEntries(
    all.filter(([, from, to]) => !isEqual(from, to)).map(([field, from, to]) => [field, { from, to }]),
  )
}

/** Actions whose effects other actions take back. A message that was sent, and the end of a hold, stay. */
const revocable = new Set<MacroActionInput['type']>([
  'assign',
  'set_department',
  'set_category',
  'set_priority',
  'set_custom_field',
  'add_tags',
  'remove_tags',
  'hold',
  'resolve',
  'reopen',
])

export const canBeUndone = (actions: MacroActionInput[]): boolean =>
  actions.every(({ type }) => revocable.has(type))

const without = (list: unknown, others: unknown): string[] =>
  (list as string[]).filter((each) => !(others as string[]).includes(each))

/** The action that takes a change of the status back; none if the status only followed from other fields. */
function inverseOfStatus(from: unknown, to: unknown): MacroActionInput[] {
  if (to === 'resolved') return [{ type: 'reopen' }]
  if (to === 'on_hold') return [{ type: 'resume' }]
  return from === 'resolved' ? [{ type: 'resolve' }] : []
}

/** The actions that give a conversation the values back that it had. Empty if nothing of it was changed. */
export function inverseOf(changes: Changes): MacroActionInput[] {
  const { status, department_id, assignee_id, category_id, priority, tags } = changes
  const added = tags ? without(tags.to, tags.from) : []
  const removed = tags ? without(tags.from, tags.to) : []
  return [
    ...(status ? inverseOfStatus(status.from, status.to) : []),
    ...(department_id
      ? [{ type: 'set_department' as const, department_id: department_id.from as string | null }]
      : []),
    // Another department may have given it to somebody: the assignee comes after it.
    ...(assignee_id ? [{ type: 'assign' as const, operator_id: assignee_id.from as string | null }] : []),
    ...(category_id
      ? [{ type: 'set_category' as const, category_id: category_id.from as string | null }]
      : []),
    ...(priority ? [{ type: 'set_priority' as const, priority: priority.from as 'normal' }] : []),
    ...(added.length > 0 ? [{ type: 'remove_tags' as const, tags: added }] : []),
    ...(removed.length > 0 ? [{ type: 'add_tags' as const, tags: removed }] : []),
    ...Object.entries(changes)
      .filter(([field]) => field.startsWith(valuesPrefix))
      .map(([field, { from }]) => ({
        type: 'set_custom_field' as const,
        key: field.slice(valuesPrefix.length),
        value: (from ?? null) as string | null,
      })),
  ]
}

export type InverseGroup = { actions: MacroActionInput[]; ids: string[] }

/** The conversations of a dry run, grouped by what takes the changes back. */
export function inverseGroups(results: JobResult[], failed: ReadonlySet<string>): InverseGroup[] {
  const groups = new Map<string, InverseGroup>()
  for (const result of results) {
    if (result.id === null || result.status === 'failed' || failed.has(result.id)) continue
    const actions = inverseOf(changesIn(result))
    if (actions.length === 0) continue
    const key = JSON.stringify(actions)
    const group = groups.get(key) ?? { actions, ids: [] }
    groups.set(key, group)
    group.ids.push(result.id)
  }
  return [...groups.values()]
}

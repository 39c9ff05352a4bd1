import type { Event } from '@backline/sdk'
import { useEveryCustomField } from '../../../data/configuration.ts'
import { changedKeys } from '../../events/describe-event.ts'
import { useValueText } from '../../model/values.ts'
import type { Value } from '../fields/types.ts'
import { useValueTexts } from '../fields/value.tsx'

/** Fields that people care about, in this order. All others are in the raw event. */
const told = [
  'status',
  'assignee_id',
  'department_id',
  'category_id',
  'priority',
  'subject',
  'mailbox_id',
  'language',
  'tags',
] as const

/** The changes of an event in words: "Priority: Normal → High". */
export function useChanges({ data, resource }: Event): { name: string; change: string }[] {
  const { nameOf, textOf } = useValueText()
  const describe = useValueTexts()
  const { data: fields } = useEveryCustomField()
  if (resource.type !== 'conversation') return []
  const before = data.previous as Record<string, unknown>
  const now = data.object as unknown as Record<string, unknown>
  const values = (of: Record<string, unknown>) => (of.custom_fields ?? {}) as Record<string, Value>
  const keys = 'custom_fields' in before ? changedKeys(values(before), values(now)) : []
  return [
    ...told
      .filter((field) => field in before)
      .map((field) => ({
        name: nameOf(field),
        change: `${textOf(field, before[field])} → ${textOf(field, now[field])}`,
      })),
    ...keys.map((key) => {
      const field = fields?.find((each) => each.applies_to === 'conversation' && each.key === key)
      const shown = (of: Record<string, unknown>) =>
        (field && describe(field, values(of)[key] ?? null)) || '–'
      return { name: field?.name ?? key, change: `${shown(before)} → ${shown(now)}` }
    }),
  ]
}

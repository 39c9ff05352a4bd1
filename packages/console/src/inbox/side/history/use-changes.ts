import type { Event } from '@backline/sdk'
import { useValueText } from '../../model/values.ts'

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
  if (resource.type !== 'conversation') return []
  const before = data.previous as Record<string, unknown>
  const now = data.object as unknown as Record<string, unknown>
  return told
    .filter((field) => field in before)
    .map((field) => ({
      name: nameOf(field),
      change: `${textOf(field, before[field])} → ${textOf(field, now[field])}`,
    }))
}

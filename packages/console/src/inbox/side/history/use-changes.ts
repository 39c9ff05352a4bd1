import type { Event } from '@backline/sdk'
import { pathText, useCategories, useDepartments, useOperators } from '../../../data/configuration.ts'
import { useTexts } from '../../../texts/language.tsx'
import { words } from '../../model/words.ts'
import { texts as details } from '../details/texts.ts'
import { texts as side } from '../texts.ts'

/** Fields that people care about, in this order. All others are in the raw event. */
const told = [
  'status',
  'assignee_id',
  'department_id',
  'category_id',
  'priority',
  'subject',
  'language',
  'tags',
] as const

/** The changes of an event in words: "Priority: Normal → High". */
export function useChanges({ data, resource }: Event): { name: string; change: string }[] {
  const words = useWords()
  const { previous } = data
  if (resource.type !== 'conversation') return []
  const object = data.object as unknown as Record<string, unknown>
  return told
    .filter((field) => field in previous)
    .map((field) => {
      const before = (previous as Record<string, unknown>)[field]
      return {
        name: words.nameOf(field),
        change: `${words.valueOf(field, before)} → ${words.valueOf(field, object[field])}`,
      }
    })
}

function useWords() {
  const text = useTexts(details)
  const common = useTexts(side)
  const word = useTexts(words)
  const { data: operators } = useOperators()
  const { data: departments } = useDepartments()
  const { data: categories } = useCategories()
  const names: Record<(typeof told)[number], string> = {
    status: text.status,
    assignee_id: text.assignee,
    department_id: text.department,
    category_id: text.category,
    priority: text.priority,
    subject: common.subject,
    language: text.language,
    tags: common.tags,
  }
  const named = new Map<unknown, string>([
    ...(operators ?? []).map(({ id, name }) => [id, name] as const),
    ...(departments ?? []).map(({ id, name }) => [id, name] as const),
    ...(categories ?? []).map(({ id, path }) => [id, pathText(path)] as const),
    ...(['low', 'normal', 'high', 'urgent'] as const).map((each) => [each, word[each]] as const),
    ...(['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'] as const).map(
      (each) => [each, word[each]] as const,
    ),
  ])
  return {
    nameOf: (field: (typeof told)[number]) => names[field],
    valueOf(field: (typeof told)[number], value: unknown): string {
      if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : '–'
      if (value === null || value === undefined || value === '') return '–'
      return (field === 'subject' ? undefined : named.get(value)) ?? String(value)
    },
  }
}

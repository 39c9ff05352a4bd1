import {
  useCategories,
  useDepartmentNames,
  useHoldReasons,
  useNames,
  useOperatorNames,
} from '../../data/configuration.ts'
import { defineTexts } from '../../texts/define.ts'
import { useTexts } from '../../texts/language.tsx'
import { words } from './words.ts'

const fields = defineTexts({
  status: { en: 'Status', de: 'Status' },
  priority: { en: 'Priority', de: 'Priorität' },
  assignee_id: { en: 'Assignee', de: 'Zugewiesen an' },
  department_id: { en: 'Department', de: 'Abteilung' },
  category_id: { en: 'Category', de: 'Kategorie' },
  tags: { en: 'Tags', de: 'Tags' },
  hold: { en: 'On hold', de: 'Zurückgestellt' },
  waiting_on: { en: 'Waiting for', de: 'Wartet auf' },
  custom_fields: { en: 'Custom fields', de: 'Eigene Felder' },
  subject: { en: 'Subject', de: 'Betreff' },
  none: { en: 'none', de: 'keine' },
  end_user: { en: 'the person', de: 'die Person' },
  operatorSide: { en: 'your team', de: 'dein Team' },
  third_party: { en: 'somebody else', de: 'jemand anderen' },
})

/** Names of the fields of a conversation and their values, as people say them. */
export function useValueText() {
  const field = useTexts(fields)
  const word = useTexts(words)
  const operator = useOperatorNames()
  const department = useDepartmentNames()
  const holdReason = useNames(useHoldReasons().data)
  const category = useNames(useCategories().data)
  const sides: Record<string, string> = {
    end_user: field.end_user,
    operator: field.operatorSide,
    third_party: field.third_party,
  }
  const readers: Record<string, (value: never) => string | undefined> = {
    assignee_id: operator,
    department_id: department,
    category_id: category,
    tags: (tags: string[]) => tags.join(', '),
    hold: ({ hold_reason_id }: { hold_reason_id: string }) => holdReason(hold_reason_id),
    waiting_on: (side: string) => sides[side],
    custom_fields: (values: Record<string, unknown>) =>
      Object.entries(values)
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join(', '),
  }
  return {
    nameOf: (name: string): string => (name in field ? (field[name as keyof typeof field] as string) : name),
    textOf(name: string, value: unknown): string {
      if (value === null || value === undefined) return field.none
      const said = readers[name]?.(value as never)
      if (said !== undefined) return said || field.none
      const known = typeof value === 'string' ? word[value as 'new'] : undefined
      return known ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
    },
  }
}

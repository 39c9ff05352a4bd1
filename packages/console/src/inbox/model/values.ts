import {
  pathText,
  useCategories,
  useDepartmentNames,
  useHoldReasons,
  useMailboxNames,
  useNames,
  useOperatorNames,
} from '../../data/configuration.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { priorityTexts, statusTexts, waitingOnTexts } from '../../texts/values.ts'

const nothing = '–'

/** Names of the fields of a conversation and their values, as people say them. */
export function useValueText() {
  const fields: Record<string, string> = useTexts(fieldTexts)
  const statuses: Record<string, string> = useTexts(statusTexts)
  const priorities: Record<string, string> = useTexts(priorityTexts)
  const sides: Record<string, string> = useTexts(waitingOnTexts)
  const operator = useOperatorNames()
  const department = useDepartmentNames()
  const mailbox = useMailboxNames()
  const holdReason = useNames(useHoldReasons().data)
  const category = useNames(useCategories().data?.map(({ id, path }) => ({ id, name: pathText(path) })))
  const readers: Record<string, (value: never) => string | undefined> = {
    status: (status: string) => statuses[status],
    priority: (priority: string) => priorities[priority],
    assignee_id: operator,
    department_id: department,
    mailbox_id: mailbox,
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
    nameOf: (field: string): string => fields[field.replace(/_id$/, '')] ?? field,
    textOf(field: string, value: unknown): string {
      if (value === null || value === undefined || value === '') return nothing
      const said = readers[field]?.(value as never)
      if (said !== undefined) return said || nothing
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    },
  }
}

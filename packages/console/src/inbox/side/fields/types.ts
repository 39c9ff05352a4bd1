import type { CustomField, CustomFieldValuesInput, RequestOptions } from '@backline/sdk'
import type { QueryKey } from '@tanstack/react-query'

export type WithFields = { id: string; version: number; custom_fields: Record<string, unknown> }

export type CustomFieldsProps<Item extends WithFields> = {
  appliesTo: CustomField['applies_to']
  object: Item
  queryKey: QueryKey
  isEditable: boolean
  read(): PromiseLike<Item>
  write(values: CustomFieldValuesInput, options: RequestOptions): PromiseLike<Item>
  /** Called with the object just before and just after a change of a field. */
  onSaved?(field: CustomField, before: Item, after: Item): void
}

export type Value = string | number | boolean | string[] | null

/** Properties that the editors of all types have in common. Each saves by itself. */
export type EditorProps = {
  field: CustomField
  value: Value
  isBusy: boolean
  error: string | null
  /** Notes what the person saw when they began. */
  onBegin(): void
  onCancel(): void
  /** False if the value was not saved and the person's input stays. */
  onSave(value: Value): Promise<boolean>
}

import { useEveryCustomField } from '../../../data/configuration.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { Stack } from '../../../design/Layout.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { CustomFieldRow } from './CustomFieldRow.tsx'
import type { CustomFieldsProps, WithFields } from './types.ts'

/** The custom fields of an object, each with the editor of its type. */
export function CustomFields<Item extends WithFields>(props: CustomFieldsProps<Item>) {
  const { appliesTo, object } = props
  const { can } = useEnvironment()
  const { data, error, refetch } = useEveryCustomField()
  if (!can('custom_fields:read')) return null
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const fields = (data ?? [])
    .filter((field) => field.applies_to === appliesTo)
    .filter((field) => !field.archived || object.custom_fields[field.key] !== undefined)
    .toSorted((one, other) => one.position - other.position)
  if (fields.length === 0) return null
  return (
    <Stack gap="half">
      {fields.map((field) => (
        <CustomFieldRow key={field.id} field={field} {...props} />
      ))}
    </Stack>
  )
}

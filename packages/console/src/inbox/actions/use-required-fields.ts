import { ApiError, type Conversation, type CustomField } from '@backline/sdk'
import { useCustomFields } from '../../data/configuration.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** The custom fields that a conversation needs a value of before it is resolved, and has none. */
export function useRequiredFields({ custom_fields }: Conversation): CustomField[] {
  return (useCustomFields().data ?? []).filter(
    ({ applies_to, required_on, key }) =>
      applies_to === 'conversation' && required_on === 'resolve' && (custom_fields[key] ?? null) === null,
  )
}

const pathOfValues = '/custom_fields/'

/** The reason of a failure in a sentence. It names the fields that have to have a value first as people know them. */
export function useResolvingReason(): (error: unknown) => string {
  const text = useTexts(texts)
  const { data: fields } = useCustomFields()
  return (error) => {
    const pointers = error instanceof ApiError ? error.errors.map(({ pointer = '' }) => pointer) : []
    if (pointers.length === 0 || !pointers.every((pointer) => pointer.startsWith(pathOfValues)))
      return reasonOf(error)
    const names = pointers.map((pointer) => {
      const named = pointer.slice(pathOfValues.length)
      return (
        fields?.find(({ applies_to, key }) => applies_to === 'conversation' && key === named)?.name ?? named
      )
    })
    return text.requiredFirst(names.join(', '))
  }
}

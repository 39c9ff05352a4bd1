import { useTags } from '../../data/configuration.ts'
import { MultiSelect } from '../../forms/MultiSelect.tsx'

type TagsFieldProps = {
  label: string
  error: string | undefined
  value: string[]
  onChange(value: string[]): void
}

/** Tags by their names: known ones are offered, others are created by the server. */
export function TagsField(props: TagsFieldProps) {
  const tags = useTags().data ?? []
  return <MultiSelect {...props} isOpen options={tags.map(({ name }) => ({ value: name, label: name }))} />
}

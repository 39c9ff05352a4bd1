import { useTags } from '../../data/configuration.ts'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type TagsFieldProps = {
  label: string
  error: string | undefined
  value: string[]
  onChange(value: string[]): void
}

/** Tags by their names: known ones are suggested, others are created by the server. */
export function TagsField(props: TagsFieldProps) {
  const text = useTexts(texts)
  const tags = useTags().data ?? []
  return (
    <MultiSelect
      {...props}
      hint={text.tagsHint}
      freeText={{ maxLength: 50, most: 50 }}
      options={tags.map(({ name }) => ({ value: name, label: name }))}
    />
  )
}

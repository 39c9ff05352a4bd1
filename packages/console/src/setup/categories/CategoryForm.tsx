import type { Category } from '@backline/sdk'
import { optionsOf, pathsOf, useCategories, useDepartments } from '../../data/configuration.ts'
import { idsBelow } from '../../data/tree.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { CheckboxField, FieldRow, Group } from '../../forms/Form.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import type { CategoryDraft } from './draft.ts'
import { texts } from './texts.ts'

export function CategoryForm({ item, field, input, select }: FormProps<Category, CategoryDraft>) {
  const text = useTexts(texts)
  const categories = useCategories()
  const departments = useDepartments()
  const own = item ? idsBelow(categories.data ?? [], item.id) : new Set<string>()
  return (
    <>
      <TextField {...input('name')} required />
      <Select
        {...select('parent_id')}
        empty={text.noParent}
        options={pathsOf(categories.data?.filter(({ id }) => !own.has(id)))}
      />
      <TextArea {...input('description')} hint={text.descriptionHint} rows={2} />
      <CheckboxField {...field('public')} />
      <Group title={text.defaults} intro={text.defaultsIntro}>
        <FieldRow>
          <Select
            {...select('default_department_id')}
            empty={text.noDepartment}
            options={optionsOf(departments.data)}
          />
          <Select
            {...select('default_priority')}
            empty={text.noPriority}
            options={priorities.map((value) => ({ value, label: text[value] }))}
          />
        </FieldRow>
      </Group>
    </>
  )
}

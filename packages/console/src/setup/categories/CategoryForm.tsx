import type { Category } from '@backline/sdk'
import { optionsOf, pathsOf, useCategories, useDepartments } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Check, Group, Pair } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import type { FormProps } from '../resource/kind.ts'
import type { CategoryDraft } from './draft.ts'
import { texts } from './texts.ts'
import { branchOf } from './tree.ts'

export function CategoryForm({ draft, set, faults, item }: FormProps<Category, CategoryDraft>) {
  const text = useTexts(texts)
  const categories = useCategories()
  const departments = useDepartments()
  const own = item ? branchOf(categories.data ?? [], item.id) : new Set<string>()
  return (
    <>
      <TextField
        label={text.name}
        error={faults.at('/name')}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <Select
        label={text.parent}
        error={faults.at('/parent_id')}
        options={[
          { value: '', label: text.noParent },
          ...pathsOf(categories.data?.filter(({ id }) => !own.has(id))),
        ]}
        value={draft.parent_id ?? ''}
        onChange={(event) => set({ parent_id: event.target.value || null })}
      />
      <TextArea
        label={text.description}
        hint={text.descriptionHint}
        error={faults.at('/description')}
        rows={2}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Check label={text.isPublic} checked={draft.public} onChange={(value) => set({ public: value })} />
      <Group title={text.defaults} intro={text.defaultsIntro}>
        <Pair>
          <Select
            label={text.department}
            error={faults.at('/default_department_id')}
            options={[{ value: '', label: text.noDepartment }, ...optionsOf(departments.data)]}
            value={draft.default_department_id ?? ''}
            onChange={(event) => set({ default_department_id: event.target.value || null })}
          />
          <Select
            label={text.priority}
            error={faults.at('/default_priority')}
            options={[
              { value: '', label: text.noPriority },
              ...priorities.map((value) => ({ value, label: text[value] })),
            ]}
            value={draft.default_priority ?? ''}
            onChange={(event) =>
              set({ default_priority: (event.target.value || null) as CategoryDraft['default_priority'] })
            }
          />
        </Pair>
      </Group>
    </>
  )
}

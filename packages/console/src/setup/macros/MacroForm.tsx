import type { Macro } from '@backline/sdk'
import { optionsOf, useDepartments } from '../../data/configuration.ts'
import { Fault, TextField } from '../../design/Field.tsx'
import { Group } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { ActionList } from './ActionList.tsx'
import type { MacroDraft } from './actions.ts'
import { Preview } from './Preview.tsx'
import { texts } from './texts.ts'

export function MacroForm({ draft, set, faults, item, field, input }: FormProps<Macro, MacroDraft>) {
  const text = useTexts(texts)
  const departments = useDepartments()
  return (
    <>
      <TextField {...input('name')} required />
      <TextField {...input('description')} hint={text.descriptionHint} />
      <MultiSelect
        {...field('department_ids')}
        hint={text.departmentsHint}
        options={optionsOf(departments.data)}
        placeholder={text.everywhere}
      />
      <Group title={text.actions} intro={text.actionsIntro}>
        <Fault>{faults.at('/actions')}</Fault>
        <ActionList
          actions={draft.actions}
          onChange={(actions) => set({ actions })}
          faults={faults.within('/actions')}
        />
      </Group>
      <Group title={text.preview} intro={item ? text.previewIntro : text.previewLater}>
        {item && <Preview macro={item} />}
      </Group>
    </>
  )
}

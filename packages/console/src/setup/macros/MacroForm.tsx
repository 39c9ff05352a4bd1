import type { Macro } from '@backline/sdk'
import { optionsOf, useDepartments } from '../../data/configuration.ts'
import { Fault, TextField } from '../../design/Field.tsx'
import { Group } from '../../forms/Form.tsx'
import { Many } from '../../forms/Many.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps } from '../resource/kind.ts'
import { ActionList } from './ActionList.tsx'
import type { MacroDraft } from './actions.ts'
import { Preview } from './Preview.tsx'
import { texts } from './texts.ts'

export function MacroForm({ draft, set, faults, item }: FormProps<Macro, MacroDraft>) {
  const text = useTexts(texts)
  const departments = useDepartments()
  return (
    <>
      <TextField
        label={text.name}
        error={faults.at('/name')}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label={text.description}
        hint={text.descriptionHint}
        error={faults.at('/description')}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Many
        label={text.departments}
        hint={text.departmentsHint}
        error={faults.under('/department_ids')}
        options={optionsOf(departments.data)}
        chosen={draft.department_ids}
        onChange={(department_ids) => set({ department_ids })}
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

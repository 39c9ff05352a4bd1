import type { FilterCondition } from '@backline/sdk'
import { useState } from 'react'
import { Combobox } from '../../design/Combobox.tsx'
import picker from '../../design/Picker.module.css'
import { newCondition } from '../../filters/conditions.ts'
import { useFields } from '../../filters/use-fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { ConditionForm } from './ConditionForm.tsx'
import { texts } from './texts.ts'

/** Asks for a condition: first its field, then its value. */
export function FilterSteps({ onAdd }: { onAdd(condition: FilterCondition): void }) {
  const text = useTexts(texts)
  const fields = useFields('conversation', true)
  const [name, setName] = useState<string | null>(null)
  const field = fields.find((each) => each.field === name)
  return field ? (
    <ConditionForm condition={newCondition(field)} fields={fields} onApply={onAdd} />
  ) : (
    <div className={picker.picker}>
      <Combobox
        title={text.findField}
        options={fields.map((each) => ({ id: each.field, label: each.label }))}
        onSelect={setName}
        empty={text.noField}
      />
    </div>
  )
}

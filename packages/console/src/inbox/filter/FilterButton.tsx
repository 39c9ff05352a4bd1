import type { FilterCondition } from '@backline/sdk'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Combobox } from '../../design/Combobox.tsx'
import picker from '../../design/Picker.module.css'
import { Popover } from '../../design/Popover.tsx'
import { newCondition } from '../../filters/conditions.ts'
import { useFields } from '../../filters/use-fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { ConditionForm } from './ConditionForm.tsx'
import { texts } from './texts.ts'

/** Adds a condition to a list: first its field, then its value. */
export function FilterButton({ onAdd }: { onAdd(condition: FilterCondition): void }) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useCommands([{ label: text.filter, group: text.inbox, icon: 'filter', shortcut: 'f', run: open }])
  return (
    <Popover
      trigger={<IconButton icon="filter" label={text.filter} shortcut="f" />}
      title={text.filter}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {(close) => (
        <Steps
          onAdd={(condition) => {
            close()
            onAdd(condition)
          }}
        />
      )}
    </Popover>
  )
}

function Steps({ onAdd }: { onAdd(condition: FilterCondition): void }) {
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

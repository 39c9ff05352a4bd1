import type { FilterCondition } from '@backline/sdk'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Popover } from '../../design/Popover.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'
import { FilterSteps, load } from './lazy.tsx'

/** Adds a condition to a list. */
export function FilterButton({ onAdd }: { onAdd(condition: FilterCondition): void }) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useCommands([{ label: text.filter, group: text.inbox, icon: 'filter', shortcut: 'f', run: open }])
  return (
    <Popover
      trigger={
        <IconButton
          icon="filter"
          label={text.filter}
          shortcut="f"
          onPointerEnter={() => void load()}
          onFocus={() => void load()}
        />
      }
      title={text.filter}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {(close) => (
        <FilterSteps
          onAdd={(condition) => {
            close()
            onAdd(condition)
          }}
        />
      )}
    </Popover>
  )
}

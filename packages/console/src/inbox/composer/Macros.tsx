import type { Conversation, Macro } from '@backline/sdk'
import { type RefObject, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useMacros } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Whether macros can be applied to a conversation. */
export function useCanApplyMacros({ status }: Conversation): boolean {
  const { can } = useEnvironment()
  return can('macros:read') && can('conversations:write') && status !== 'closed'
}

/** Whether a macro is for the department of a conversation. */
export const fits =
  ({ department_id }: Conversation) =>
  ({ department_ids }: Macro): boolean =>
    department_ids.length === 0 || department_ids.includes(department_id ?? '')

type MacrosProps = {
  conversation: Conversation
  field: RefObject<HTMLTextAreaElement | null>
  onChoose(macro: Macro): void
}

export function Macros({ conversation, field, onChoose }: MacrosProps) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const all = useMacros()
  const fitting = all.data?.filter(fits(conversation)) ?? []
  useCommands([
    {
      label: text.macros,
      group: text.conversation,
      icon: 'bolt',
      shortcut: 'y',
      choices: () =>
        fitting.map((macro) => ({
          name: `macro:${macro.id}`,
          label: macro.name,
          group: text.macros,
          icon: 'bolt',
          run: () => onChoose(macro),
        })),
      run: () => setOpen(true),
    },
  ])
  return (
    <Picker
      trigger={<IconButton isSmall icon="bolt" label={text.macros} shortcut="y" />}
      title={text.findMacro}
      options={fitting.map(({ id, name, description }) => ({
        id,
        label: name,
        detail: description ?? undefined,
      }))}
      isOpen={isOpen}
      onOpenChange={setOpen}
      finalFocus={field}
      onSelect={(id) => {
        const macro = all.data?.find((each) => each.id === id)
        if (macro) onChoose(macro)
      }}
      isLoading={all.isPending}
      error={all.data ? null : all.error}
      onRetry={() => void all.refetch()}
      empty={text.noMacros}
    />
  )
}

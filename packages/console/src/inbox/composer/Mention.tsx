import type { Operator } from '@backline/sdk'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { IconButton } from '../../design/Button.tsx'
import { type ComboboxOption, matches } from '../../design/Combobox.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { type TypedList, useTypedList } from './use-typed-list.ts'

type MentionProps = { list: TypedList; onChoose(operator: Operator): void }

/** The colleagues whom a note can mention: `@` at the start of a word opens it. */
export function Mention({ list, onChoose }: MentionProps) {
  const text = useTexts(texts)
  const { operator } = useEnvironment()
  const operators = useOperators()
  const found = (typed: string): ComboboxOption[] => {
    const options = (operators.data ?? [])
      .filter(({ id }) => id !== operator.id)
      .map((each) => ({
        id: each.id,
        label: each.name,
        keywords: each.email,
        note: text[each.status],
        picture: <Avatar name={each.name} size={22} presence={each.status} />,
      }))
      .filter(({ label, keywords }) => matches({ id: '', label, keywords }, typed))
    const begins = ({ label }: ComboboxOption) =>
      ` ${label}`.toLowerCase().includes(` ${typed.toLowerCase()}`)
    return options.sort((a, b) => Number(begins(b)) - Number(begins(a)))
  }
  // The sign alone was meant, or an address.
  const { query, chosen, picker } = useTypedList(
    list,
    (typed) => /^\s|@/.test(typed) || (/\s$/.test(typed) && found(typed.trim()).length === 0),
  )
  return (
    <Picker
      trigger={<IconButton isSmall icon="at" label={text.mention} shortcut="@" />}
      title={text.findColleague}
      options={found(query.trim())}
      {...picker}
      onSelect={(id) => {
        chosen()
        const operator = operators.data?.find((each) => each.id === id)
        if (operator) onChoose(operator)
      }}
      isLoading={operators.isLoading}
      error={operators.data ? null : operators.error}
      onRetry={() => void operators.refetch()}
      empty={text.nobodyFound}
    />
  )
}

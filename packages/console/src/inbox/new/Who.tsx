import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Fieldset, TextField } from '../../design/Field.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type Draft, type NewPerson, newPersonOf } from './draft.ts'
import { PersonPicker } from './PersonPicker.tsx'
import { texts } from './texts.ts'

type WhoProps = {
  draft: Draft
  set(change: Partial<Draft>): void
  faultAt(pointer: string): string | undefined
}

/** The person of a new conversation: one who is found, or a new one. */
export function Who({ draft: { person, newPerson }, set, faultAt }: WhoProps) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  if (!newPerson)
    return (
      <PersonPicker
        label={text.to}
        chosen={person}
        onSelect={(chosen) => set({ person: chosen })}
        error={faultAt('/person')}
        {...(can('end_users:write') && { onCreate: (typed) => set({ newPerson: newPersonOf(typed) }) })}
      />
    )
  const field = (name: keyof NewPerson, label: string) => ({
    label,
    value: newPerson[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) =>
      set({ newPerson: { ...newPerson, [name]: event.target.value } }),
  })
  return (
    <Fieldset legend={text.newPerson}>
      <TextField {...field('name', text.name)} maxLength={200} error={faultAt('/name')} />
      <FieldRow>
        <TextField
          {...field('email', text.emailAddress)}
          type="email"
          maxLength={254}
          error={faultAt('/emails/0/address') ?? faultAt('/emails')}
        />
        <TextField
          {...field('externalId', text.externalId)}
          isCode
          maxLength={255}
          error={faultAt('/external_id')}
        />
      </FieldRow>
      <Quiet as="p">{text.personHint}</Quiet>
      <div>
        <Button isSmall icon="search" onClick={() => set({ newPerson: null })}>
          {text.findPerson}
        </Button>
      </div>
    </Fieldset>
  )
}

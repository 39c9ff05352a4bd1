import type { EndUser } from '@backline/sdk'
import { useQueries } from '@tanstack/react-query'
import { optionsOf, useCompanies } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Select, TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { FieldRow } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { TimeZoneField } from '../../forms/TimeZoneField.tsx'
import { nameOfEndUser } from '../../inbox/model/people.ts'
import type { FormDescriptor, FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { offeredLocales, useLocaleName } from '../../texts/locales.ts'
import { texts } from '../texts.ts'
import { Emails } from './Emails.tsx'

type PersonDraft = {
  name: string
  emails: EndUser['emails']
  phones: string[]
  company_ids: string[]
  external_id: string
  language: string | null
  timezone: string | null
}

const mostAddresses = 10
const longestPhone = 16

/** How the fields that identify an end user are created and edited. */
export function usePersonResource(): FormDescriptor<EndUser, PersonDraft> {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return {
    path: 'end_users',
    api: backline.endUsers,
    texts: { create: text.createPerson, removeHint: text.removePersonHint },
    nameOf: (person) => nameOfEndUser(person) ?? text.noName,
    draftOf: (person) => ({
      name: person?.name ?? '',
      emails: person?.emails ?? [],
      phones: person?.phones ?? [],
      company_ids: person?.company_ids ?? [],
      external_id: person?.external_id ?? '',
      language: person?.language ?? null,
      timezone: person?.timezone ?? null,
    }),
    bodyOf: (draft) => ({
      ...draft,
      name: textOrNull(draft.name),
      emails: draft.emails.filter(({ address }) => address.trim() !== ''),
      external_id: textOrNull(draft.external_id.trim()),
    }),
    labels: {
      name: text.name,
      emails: text.emails,
      phones: text.phones,
      company_ids: text.companies,
      external_id: text.externalId,
      language: text.language,
      timezone: text.timezone,
    },
    form: PersonForm,
    hasArchive: false,
  }
}

function PersonForm({ draft, faults, item, field, input, select }: FormProps<EndUser, PersonDraft>) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const nameOf = useLocaleName()
  const locales = offeredLocales(draft.language ? [draft.language] : [])
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <>
      <TextField {...input('name')} maxLength={200} />
      <Emails {...field('emails')} faults={faults.within('/emails')} most={mostAddresses} />
      <MultiSelect
        {...field('phones')}
        options={[]}
        hint={text.phonesHint}
        placeholder="+493012345678"
        freeText={{ maxLength: longestPhone, most: mostAddresses }}
      />
      {can('companies:read') && <CompaniesField {...field('company_ids')} />}
      <TextField
        {...input('external_id')}
        hint={text.externalIdHint}
        maxLength={255}
        isCode
        disabled={Boolean(item?.external_id)}
      />
      <FieldRow>
        <Select {...select('language')} empty="–" options={locales} />
        <TimeZoneField {...field('timezone')} />
      </FieldRow>
    </>
  )
}

type CompaniesFieldProps = {
  label: string
  error: string | undefined
  value: string[]
  onChange(value: string[]): void
}

/** Companies by their names. Archived ones stay until they are removed. */
function CompaniesField(props: CompaniesFieldProps) {
  const { backline } = useEnvironment()
  const companies = useCompanies().data
  const missing = companies ? props.value.filter((id) => !companies.some((each) => each.id === id)) : []
  const read = useQueries({
    queries: missing.map((id) => ({
      queryKey: ['companies', id],
      queryFn: () => backline.companies.retrieve(id),
    })),
  })
  const known = [...(companies ?? []), ...read.flatMap(({ data }) => data ?? [])]
  return <MultiSelect {...props} options={optionsOf(known)} />
}

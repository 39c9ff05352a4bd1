import type { Company } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import type { FormDescriptor, FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

type CompanyDraft = { name: string; domains: string[]; external_id: string }

/** How the fields of a company are created and edited. */
export function useCompanyResource(): FormDescriptor<Company, CompanyDraft> {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return {
    path: 'companies',
    api: backline.companies,
    texts: { create: text.createCompany },
    nameOf: ({ name }) => name,
    draftOf: (company) => ({
      name: company?.name ?? '',
      domains: company?.domains ?? [],
      external_id: company?.external_id ?? '',
    }),
    bodyOf: (draft) => ({ ...draft, external_id: textOrNull(draft.external_id.trim()) }),
    labels: { name: text.name, domains: text.domains, external_id: text.externalId },
    form: CompanyForm,
  }
}

function CompanyForm({ item, field, input }: FormProps<Company, CompanyDraft>) {
  const text = useTexts(texts)
  return (
    <>
      <TextField {...input('name')} required maxLength={200} />
      <MultiSelect
        {...field('domains')}
        options={[]}
        hint={text.domainsHint}
        placeholder="example.com"
        freeText={{ maxLength: 253, most: 20 }}
      />
      <TextField
        {...input('external_id')}
        hint={text.externalIdHint}
        maxLength={255}
        isCode
        disabled={Boolean(item?.external_id)}
      />
    </>
  )
}

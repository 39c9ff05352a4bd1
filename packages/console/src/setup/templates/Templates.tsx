import type { MessageTemplate } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import type { TemplateDraft } from './draft.ts'
import { TemplateForm } from './TemplateForm.tsx'
import { texts } from './texts.ts'

export function Templates() {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const resource: ResourceDescriptor<MessageTemplate, TemplateDraft> = {
    path: 'message_templates',
    scope: 'message_templates:write',
    icon: 'template',
    api: backline.messageTemplates,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, folder, body }) => `${name} ${folder ?? ''} ${body}`,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      { name: 'folder', label: text.folder, cell: ({ folder }) => folder ?? '–' },
      {
        name: 'languages',
        label: text.languages,
        cell: ({ locale, variants }) =>
          [locale, ...variants.map((variant) => variant.locale)].filter(Boolean).join(', ') || '–',
      },
      {
        name: 'variables',
        label: text.variables,
        align: 'end',
        cell: ({ variables }) => number(variables.length),
        sortBy: ({ variables }) => variables.length,
      },
      {
        name: 'usage',
        label: text.used,
        align: 'end',
        cell: ({ usage_count }) => number(usage_count),
        sortBy: ({ usage_count }) => usage_count,
      },
    ],
    draftOf: (template) => ({
      name: template?.name ?? '',
      folder: template?.folder ?? '',
      body: template?.body ?? '',
      body_format: template?.body_format ?? 'text',
      locale: template?.locale ?? '',
      variants: template?.variants ?? [],
    }),
    bodyOf: (draft) => ({ ...draft, folder: textOrNull(draft.folder), locale: textOrNull(draft.locale) }),
    labels: {
      name: text.name,
      folder: text.folder,
      body: text.text,
      body_format: text.format,
      locale: text.language,
      variants: text.variants,
    },
    form: TemplateForm,
    staysOpen: 'always',
  }
  return <ResourcePage resource={resource} />
}

import type { CustomField } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCustomFields } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { reorderByPosition } from '../../resource/MoveButtons.tsx'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type FieldDraft, hasOptions } from './draft.ts'
import { FieldForm, IndexState } from './FieldForm.tsx'
import { texts } from './texts.ts'

const pollMs = 3_000

export function CustomFields() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const fields = useCustomFields()
  const isBuilding = fields.data?.some(({ index_status }) => index_status === 'building') ?? false
  // An index becomes ready without an event.
  useEffect(() => {
    if (!isBuilding) return
    const timer = setInterval(() => void cache.invalidateQueries({ queryKey: ['custom_fields'] }), pollMs)
    return () => clearInterval(timer)
  }, [isBuilding, cache])
  const resource: ResourceDescriptor<CustomField, FieldDraft> = {
    path: 'custom_fields',
    scope: 'custom_fields:write',
    icon: 'field',
    api: backline.customFields,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, key, description }) => `${name} ${key} ${description ?? ''}`,
    columns: [
      {
        name: 'name',
        label: text.name,
        cell: ({ name, key }) => (
          <span>
            {name} <Quiet as="code">{key}</Quiet>
          </span>
        ),
      },
      { name: 'applies', label: text.appliesTo, cell: ({ applies_to }) => text[applies_to] ?? applies_to },
      {
        name: 'type',
        label: text.type,
        cell: ({ type, options }) => `${text[type] ?? type}${hasOptions(type) ? ` (${options.length})` : ''}`,
      },
      {
        name: 'required',
        label: text.required,
        cell: ({ required_on }) =>
          required_on === 'create' ? text.onCreate : required_on === 'resolve' ? text.onResolve : '–',
      },
      { name: 'access', label: text.endUsers, cell: ({ end_user_access }) => text[end_user_access] },
      { name: 'index', label: text.indexed, cell: (field) => <IndexState field={field} /> },
    ],
    draftOf: (field) => ({
      applies_to: field?.applies_to ?? 'conversation',
      key: field?.key ?? '',
      type: field?.type ?? 'text',
      name: field?.name ?? '',
      description: field?.description ?? '',
      options: field?.options ?? [],
      required_on: field?.required_on ?? null,
      end_user_access: field?.end_user_access ?? 'none',
      indexed: field?.indexed ?? false,
    }),
    bodyOf: ({ options, ...draft }) => ({
      ...draft,
      description: textOrNull(draft.description),
      ...(hasOptions(draft.type) && { options }),
    }),
    labels: {
      applies_to: text.appliesTo,
      key: text.key,
      type: text.type,
      name: text.name,
      description: text.description,
      options: text.options,
      required_on: text.required,
      end_user_access: text.endUsers,
      indexed: text.indexed,
    },
    form: FieldForm,
    reorder: (items) => reorderByPosition(backline.customFields, items),
  }
  return <ResourcePage resource={resource} />
}

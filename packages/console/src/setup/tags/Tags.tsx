import type { Tag } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { TextArea, TextField } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { TagColor } from '../../design/Tag.tsx'
import { ColorField } from '../../forms/ColorField.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { FormProps, ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { texts } from './texts.ts'

type TagDraft = { name: string; color: string | null; description: string }

export function Tags() {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const [merged, setMerged] = useState<Tag | null>(null)
  const resource: ResourceDescriptor<Tag, TagDraft> = {
    path: 'tags',
    scope: 'tags:write',
    icon: 'tag',
    api: backline.tags,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description }) => `${name} ${description ?? ''}`,
    columns: [
      {
        name: 'name',
        label: text.name,
        cell: ({ name, color }) => (
          <Row as="span">
            <TagColor color={color} /> {name}
          </Row>
        ),
      },
      { name: 'description', label: text.description, cell: ({ description }) => description ?? '' },
      {
        name: 'usage',
        label: text.conversations,
        align: 'end',
        cell: ({ usage_count }) => number(usage_count),
        sortBy: ({ usage_count }) => usage_count,
      },
    ],
    draftOf: (tag) => ({
      name: tag?.name ?? '',
      color: tag?.color ?? null,
      description: tag?.description ?? '',
    }),
    bodyOf: (draft) => ({ ...draft, description: textOrNull(draft.description) }),
    labels: { name: text.name, color: text.color, description: text.description },
    form: TagForm,
    actionsOf: (tag) => [{ label: text.merge, icon: 'merge', onSelect: () => setMerged(tag) }],
  }
  return (
    <>
      <ResourcePage resource={resource} />
      {merged && <MergeDialog tag={merged} onClose={() => setMerged(null)} />}
    </>
  )
}

function TagForm({ field, input }: FormProps<Tag, TagDraft>) {
  return (
    <>
      <TextField {...input('name')} required />
      <ColorField {...field('color')} />
      <TextArea {...input('description')} rows={3} />
    </>
  )
}

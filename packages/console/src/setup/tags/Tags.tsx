import type { Tag } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { TextArea, TextField } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { TagColor } from '../../design/Tag.tsx'
import { ColorField } from '../../forms/ColorField.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps, Kind } from '../resource/kind.ts'
import { ResourcePage } from '../resource/ResourcePage.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { texts } from './texts.ts'

type TagDraft = { name: string; color: string | null; description: string }

export function Tags() {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const [merged, setMerged] = useState<Tag | null>(null)
  const kind: Kind<Tag, TagDraft> = {
    path: 'tags',
    scope: 'tags:write',
    icon: 'tag',
    api: backline.tags,
    words: text,
    nameOf: ({ name }) => name,
    searched: ({ name, description }) => `${name} ${description ?? ''}`,
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
    actionsOf: (tag) => [{ label: text.merge, icon: 'merge', onChoose: () => setMerged(tag) }],
  }
  return (
    <>
      <ResourcePage kind={kind} />
      {merged && <MergeDialog tag={merged} onClose={() => setMerged(null)} />}
    </>
  )
}

function TagForm({ draft, set, faults }: FormProps<Tag, TagDraft>) {
  const text = useTexts(texts)
  return (
    <>
      <TextField
        label={text.name}
        error={faults.at('/name')}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <ColorField
        label={text.color}
        error={faults.at('/color')}
        value={draft.color}
        onChange={(color) => set({ color })}
      />
      <TextArea
        label={text.description}
        error={faults.at('/description')}
        rows={3}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
    </>
  )
}

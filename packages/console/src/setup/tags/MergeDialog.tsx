import type { Tag } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { nameIn, optionsOf, useTags } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select } from '../../design/Field.tsx'
import { Notice } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Merges a tag into another one, after saying what that changes. */
export function MergeDialog({ tag, onClose }: { tag: Tag; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const tags = useTags()
  const [intoId, setIntoId] = useState('')
  const into = nameIn(tags.data, intoId)
  const merge = useWrite({
    run: () => backline.tags.merge(tag.id, { into_id: intoId }),
    refresh: [['tags'], ['conversations']],
    failed: text.notMerged,
    onDone: (kept) => {
      toast.done({ title: text.merged(tag.name, kept.name) })
      navigate('/tags')
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.mergeTitle(tag.name)}
      action={text.mergeNow}
      isDangerous
      isDisabled={!into || merge.isPending}
      onSubmit={merge.mutate}
      onClose={onClose}
    >
      <Select
        label={text.into}
        empty={text.choose}
        options={optionsOf(tags.data).filter(({ value }) => value !== tag.id)}
        value={intoId}
        onChange={(event) => setIntoId(event.target.value)}
      />
      {into && (
        <Notice tone="plain" aria-live="polite">
          <h3>{text.happens}</h3>
          <ul>
            <li>{text.gets(tag.usage_count, tag.name, into)}</li>
            <li>{text.elsewhere}</li>
            <li>{text.alias(tag.name, into)}</li>
          </ul>
          <p>{text.noUndo}</p>
        </Notice>
      )}
    </ActionDialog>
  )
}

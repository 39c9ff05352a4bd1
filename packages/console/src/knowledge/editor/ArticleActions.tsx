import { type KbArticle, PreconditionFailedError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Confirm } from '../../design/Confirm.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { articleKey, articlesKey, stateOf } from '../shared/articles.ts'
import type { Draft, Snapshot } from '../shared/draft.ts'
import { type ArticleFields, discardingPatch } from './fields.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { texts } from './texts.ts'

type ArticleActionsProps = {
  draft: Draft<KbArticle, ArticleFields>
  snapshot: Snapshot<KbArticle, ArticleFields>
  isUploading: boolean
}

type Asked = 'unpublish' | 'discard' | 'archive' | 'delete' | 'schedule'

/** Publishing and everything else that is done with an article as a whole. */
export function ArticleActions({ draft, snapshot, isUploading }: ArticleActionsProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const toast = useToast()
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { item, phase } = snapshot
  const { id } = item
  const state = stateOf(item)
  const api = backline.kb.articles

  /** Saves the text, and then performs the action on exactly this text. */
  async function run(action: (saved: KbArticle, ifMatch: string) => PromiseLike<KbArticle>, done?: string) {
    if (isUploading) return toast.failed({ title: text.failed, detail: text.uploadFirst })
    setBusy(true)
    try {
      const saved = await draft.save()
      draft.receive(await action(saved, `"${saved.version}"`))
      setAsked(null)
      if (done) toast.done({ title: done })
    } catch (error) {
      if (error instanceof PreconditionFailedError)
        await api.retrieve(id).then(
          (found) => draft.receive(found),
          () => undefined,
        )
      const now = draft.snapshot()
      const detail =
        now.phase === 'conflict'
          ? text.decideFirst
          : Object.keys(now.refusals).length > 0 && now.phase === 'failed'
            ? text.fixFirst
            : reasonOf(error)
      toast.failed({ title: text.failed, detail })
    } finally {
      setBusy(false)
    }
  }

  const publish = () => void run((_, ifMatch) => api.publish(id, {}, { ifMatch }), text.publishedDone)
  const schedule = (publish_at: string) =>
    void run(
      (_, ifMatch) => api.publish(id, { publish_at }, { ifMatch }),
      `${text.scheduled} · ${formats.full(publish_at)}`,
    )
  async function remove(): Promise<void> {
    setBusy(true)
    try {
      await api.delete(id)
      draft.discard()
      navigate('/articles')
      cache.removeQueries({ queryKey: articleKey(id) })
      await cache.invalidateQueries({ queryKey: articlesKey })
    } catch (error) {
      toast.failed({ title: text.failed, detail: reasonOf(error) })
      setBusy(false)
    }
  }
  /** Unsaved text is given up first: it would be saved only to be discarded. */
  const discard = () => {
    draft.discard()
    void run(async (saved, ifMatch) => {
      const published = await api.retrieve(id, { view: 'published' })
      return api.update(id, discardingPatch(saved, published), { ifMatch })
    })
  }

  const confirmations = {
    unpublish: {
      title: text.unpublishTitle,
      hint: text.unpublishHint,
      act: () => void run((_, ifMatch) => api.unpublish(id, { ifMatch })),
    },
    discard: { title: text.discardTitle, hint: text.discardHint, act: discard },
    archive: {
      title: text.archiveTitle,
      hint: text.archiveHint,
      act: () => void run((_, ifMatch) => api.archive(id, { ifMatch })),
    },
    delete: { title: text.deleteTitle, hint: text.deleteHint, act: () => void remove() },
  }
  const isPublished = item.published_version !== null
  const canPublish = phase !== 'conflict' && (state !== 'published' || phase !== 'saved')
  const label = state === 'archived' ? text.publishAgain : isPublished ? text.publishChanges : text.publish
  const groups: (MenuItem | false)[][] = [
    [
      {
        label: item.publish_at ? text.reschedule : text.schedule,
        icon: 'clock',
        isDisabled: !canPublish,
        onChoose: () => setAsked('schedule'),
      },
      item.publish_at !== null && {
        label: text.cancelSchedule,
        icon: 'close',
        onChoose: () => void run((_, ifMatch) => api.update(id, { publish_at: null }, { ifMatch })),
      },
      {
        label: text.versions,
        icon: 'compare',
        onChoose: () => navigate(`/articles/${id}/versions`),
      },
    ],
    [
      isPublished && {
        label: text.discard,
        icon: 'history',
        isDisabled: !item.has_unpublished_changes && phase === 'saved',
        onChoose: () => setAsked('discard'),
      },
      isPublished && { label: text.unpublish, icon: 'pause', onChoose: () => setAsked('unpublish') },
      state !== 'archived' && { label: text.archive, icon: 'folder', onChoose: () => setAsked('archive') },
      { label: text.delete, icon: 'trash', isDangerous: true, onChoose: () => setAsked('delete') },
    ],
  ]
  useCommands([
    ...(canPublish ? [{ label, group: text.article, icon: 'send' as const, run: publish }] : []),
    {
      label: text.versions,
      group: text.article,
      icon: 'compare',
      run: () => navigate(`/articles/${id}/versions`),
    },
  ])
  const confirmation = asked && asked !== 'schedule' ? confirmations[asked] : null
  return (
    <Row as="span">
      <Button look="primary" disabled={!canPublish || isBusy || isUploading} onClick={publish}>
        {label}
      </Button>
      <Menu
        trigger={<IconButton icon="more" look="normal" label={text.moreActions} />}
        groups={groups.map((items) => items.filter((each) => each !== false))}
      />
      {confirmation && asked && asked !== 'schedule' && (
        <Confirm
          isOpen
          title={confirmation.title}
          action={text[asked]}
          isDangerous
          isBusy={isBusy}
          onConfirm={confirmation.act}
          onClose={() => setAsked(null)}
        >
          <p>{confirmation.hint}</p>
        </Confirm>
      )}
      {asked === 'schedule' && (
        <ScheduleDialog
          publishAt={item.publish_at}
          isBusy={isBusy}
          onSchedule={schedule}
          onClose={() => setAsked(null)}
        />
      )}
    </Row>
  )
}

import type { KbArticle, RequestOptions } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { articleKey, articlesKey, stateOf } from '../shared/articles.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import type { TextEdit } from '../shared/use-autosave.tsx'
import { type ArticleFields, discardingPatch } from './fields.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { texts } from './texts.ts'

type ArticleActionsProps = {
  edit: TextEdit<KbArticle, ArticleFields>
  isUploading: boolean
}

type Asked = 'unpublish' | 'discard' | 'archive' | 'delete' | 'schedule'

/** Publishing and everything else that is done with an article as a whole. */
export function ArticleActions({ edit, isUploading }: ArticleActionsProps) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const formats = useFormats()
  const toast = useToast()
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { autosave, run: attempt, isBusy } = edit
  const { item, phase } = edit.snapshot
  const { id } = item
  const state = stateOf(item)
  const api = backline.kb.articles

  /** Saves the text, and then performs the action on exactly this text. */
  const run = (
    action: (saved: KbArticle, options: RequestOptions) => PromiseLike<KbArticle>,
    done?: string,
  ) =>
    void attempt(async () => {
      if (isUploading) return toast.failed({ title: shared.failed, detail: text.uploadFirst })
      await autosave.perform(action)
      setAsked(null)
      if (done) toast.done({ title: done })
    })

  const publish = () => run((_, options) => api.publish(id, {}, options), text.publishedDone)
  const schedule = (publish_at: string) =>
    run(
      (_, options) => api.publish(id, { publish_at }, options),
      `${text.scheduled} · ${formats.moment(publish_at)}`,
    )
  const remove = () =>
    void attempt(async () => {
      await api.delete(id)
      autosave.discard()
      navigate('/articles')
      cache.removeQueries({ queryKey: articleKey(id) })
      await cache.invalidateQueries({ queryKey: articlesKey })
    })
  /** Unsaved text is given up first: it would be saved only to be discarded. */
  const discard = () => {
    autosave.discard()
    run(async (saved, options) => {
      const published = await api.retrieve(id, { view: 'published' })
      return api.update(id, discardingPatch(saved, published), options)
    })
  }

  const confirmations = {
    unpublish: {
      title: text.unpublishTitle,
      hint: text.unpublishHint,
      act: () => run((_, options) => api.unpublish(id, options)),
    },
    discard: { title: text.discardTitle, hint: text.discardHint, act: discard },
    archive: {
      title: text.archiveTitle,
      hint: text.archiveHint,
      act: () => run((_, options) => api.archive(id, options)),
    },
    delete: { title: text.deleteTitle, hint: text.deleteHint, act: remove },
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
        onSelect: () => setAsked('schedule'),
      },
      item.publish_at !== null && {
        label: text.cancelSchedule,
        icon: 'close',
        onSelect: () => run((_, options) => api.update(id, { publish_at: null }, options)),
      },
      {
        label: text.versions,
        icon: 'compare',
        onSelect: () => navigate(`/articles/${id}/versions`),
      },
    ],
    [
      isPublished && {
        label: text.discard,
        icon: 'history',
        isDisabled: !item.has_unpublished_changes && phase === 'saved',
        onSelect: () => setAsked('discard'),
      },
      isPublished && { label: text.unpublish, icon: 'pause', onSelect: () => setAsked('unpublish') },
      state !== 'archived' && { label: text.archive, icon: 'folder', onSelect: () => setAsked('archive') },
      { label: text.delete, icon: 'trash', isDangerous: true, onSelect: () => setAsked('delete') },
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
      <Button variant="primary" disabled={!canPublish || isBusy || isUploading} onClick={publish}>
        {label}
      </Button>
      <Menu
        trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
        groups={groups.map((items) => items.filter((each) => each !== false))}
      />
      {confirmation && asked && asked !== 'schedule' && (
        <ActionDialog
          title={confirmation.title}
          action={text[asked]}
          isDangerous
          isDisabled={isBusy}
          onSubmit={confirmation.act}
          onClose={() => setAsked(null)}
        >
          <p>{confirmation.hint}</p>
        </ActionDialog>
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

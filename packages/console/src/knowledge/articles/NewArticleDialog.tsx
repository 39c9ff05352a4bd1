import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { articleKey, articlesKey, useArticles } from '../shared/articles.ts'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { LocaleField } from '../shared/LocaleField.tsx'
import { texts } from './texts.ts'

type NewArticleDialogProps = {
  collectionId: string | null
  /** The title to begin with. */
  title?: string
  /** The language to begin with; by default that of the last article. */
  locale?: string
  onClose(): void
}

/** Asks for what the address of an article is made from; the rest is written in the editor. */
export function NewArticleDialog({ collectionId, title = '', locale, onClose }: NewArticleDialogProps) {
  const text = useTexts(texts)
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const { articles } = useArticles()
  const [fields, setFields] = useState({
    title,
    slug: '',
    collection_id: collectionId,
    locale: locale ?? articles[0]?.locale ?? language,
  })
  const set = (patch: Partial<typeof fields>) => setFields((now) => ({ ...now, ...patch }))

  const { slug, ...rest } = fields
  const { isPending, mutate, faults } = useWrite({
    run: () => backline.kb.articles.create({ ...rest, ...(slug && { slug }) }),
    refresh: [articlesKey],
    failed: text.notCreated,
    fields: Object.keys(fields),
    onDone(article) {
      cache.setQueryData(articleKey(article.id), article)
      onClose()
      navigate(`/articles/${article.id}`)
    },
  })

  return (
    <ActionDialog
      title={text.newArticle}
      action={text.create}
      isDisabled={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField
        label={text.title}
        required
        maxLength={255}
        value={fields.title}
        error={faults.at('/title')}
        onChange={(event) => set({ title: event.target.value })}
      />
      <CollectionSelect
        label={text.collection}
        none={text.noCollection}
        value={fields.collection_id}
        error={faults.at('/collection_id')}
        onChange={(collection_id) => set({ collection_id })}
      />
      <LocaleField
        required
        value={fields.locale}
        error={faults.at('/locale')}
        onChange={(locale) => set({ locale })}
      />
      <TextField
        label={text.slug}
        hint={text.slugTitleHint}
        maxLength={100}
        value={fields.slug}
        error={faults.at('/slug')}
        onChange={(event) => set({ slug: event.target.value })}
      />
    </ActionDialog>
  )
}

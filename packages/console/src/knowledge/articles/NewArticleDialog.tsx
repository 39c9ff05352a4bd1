import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { articleKey, articlesKey, useArticles } from '../shared/articles.ts'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { fieldErrorsOf } from '../shared/errors.ts'
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
  const toast = useToast()
  const formId = useId()
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
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const set = (patch: Partial<typeof fields>) => setFields((now) => ({ ...now, ...patch }))

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    try {
      const { slug, ...rest } = fields
      const article = await backline.kb.articles.create({ ...rest, ...(slug && { slug }) })
      cache.setQueryData(articleKey(article.id), article)
      void cache.invalidateQueries({ queryKey: articlesKey })
      onClose()
      navigate(`/articles/${article.id}`)
    } catch (error) {
      const found = fieldErrorsOf(error)
      setErrors(found)
      if (Object.keys(found).length === 0) toast.failed({ title: text.notCreated, detail: reasonOf(error) })
      setBusy(false)
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.newArticle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={formId} disabled={isBusy}>
            {text.create}
          </Button>
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} onSubmit={(event: FormEvent) => void create(event)}>
        <TextField
          label={text.title}
          required
          maxLength={255}
          value={fields.title}
          error={errors.title}
          onChange={(event) => set({ title: event.target.value })}
        />
        <CollectionSelect
          label={text.collection}
          none={text.noCollection}
          value={fields.collection_id}
          error={errors.collection_id}
          onChange={(collection_id) => set({ collection_id })}
        />
        <LocaleField
          required
          value={fields.locale}
          error={errors.locale}
          onChange={(locale) => set({ locale })}
        />
        <TextField
          label={text.slug}
          hint={text.slugTitleHint}
          maxLength={100}
          value={fields.slug}
          error={errors.slug}
          onChange={(event) => set({ slug: event.target.value })}
        />
      </Stack>
    </Dialog>
  )
}

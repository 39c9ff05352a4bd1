import type { KbArticle } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { FramedList, Quiet, Row, Stack, Truncated } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { articleKey, articlesKey, translationsOf, useArticles } from '../shared/articles.ts'
import { fieldErrorsOf } from '../shared/errors.ts'
import { LocaleField } from '../shared/LocaleField.tsx'
import { useLocaleName } from '../shared/locales.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from './Translations.module.css'
import { texts } from './texts.ts'

/** The article in its languages. */
export function Translations({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const localeName = useLocaleName()
  const [isAdding, setAdding] = useState(false)
  const { articles } = useArticles()
  const all = translationsOf(article, articles)
  return (
    <Stack as="section" aria-label={text.translations}>
      <h2>{text.translations}</h2>
      {all.length > 1 && (
        <FramedList>
          {all.map((each) => (
            <Row as="li" key={each.id} className={styles.translation}>
              {each.id === article.id ? (
                <Truncated>
                  {localeName(each.locale)} ({text.thisOne})
                </Truncated>
              ) : (
                <Truncated as={Link} href={`/articles/${each.id}`}>
                  {localeName(each.locale)}: {each.title ?? shared.untitled}
                </Truncated>
              )}
              <StateBadge article={each} />
            </Row>
          ))}
        </FramedList>
      )}
      <div>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {text.addTranslation}
        </Button>
      </div>
      {isAdding && <TranslationDialog article={article} onClose={() => setAdding(false)} />}
    </Stack>
  )
}

function TranslationDialog({ article, onClose }: { article: KbArticle; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const formId = useId()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const [locale, setLocale] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    try {
      const { title, excerpt, body, collection_id, tags } = article
      const translation_of_id = article.translation_of_id ?? article.id
      const made = await backline.kb.articles.create({
        ...{ title, excerpt, body, collection_id, tags, locale, translation_of_id },
      })
      cache.setQueryData(articleKey(made.id), made)
      void cache.invalidateQueries({ queryKey: articlesKey })
      navigate(`/articles/${made.id}`)
    } catch (error) {
      const found = fieldErrorsOf(error)
      setErrors(found)
      if (!found.locale) toast.failed({ title: text.failed, detail: reasonOf(error) })
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.addTranslation}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={formId} disabled={isBusy || locale === ''}>
            {text.create}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void create(event)}>
        <LocaleField required value={locale} error={errors.locale} onChange={setLocale} />
      </form>
      <Quiet as="p">{text.translationHint}</Quiet>
    </Dialog>
  )
}

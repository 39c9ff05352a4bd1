import type { KbArticle } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button } from '../../design/Button.tsx'
import { FramedList, Quiet, Row, Stack, Truncated } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../../texts/locales.ts'
import { articleKey, articlesKey, translationsOf, useArticles } from '../shared/articles.ts'
import { LocaleField } from '../shared/LocaleField.tsx'
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
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const [locale, setLocale] = useState('')
  const { isPending, mutate, faults } = useWrite({
    run() {
      const { title, excerpt, body, collection_id, tags } = article
      const translation_of_id = article.translation_of_id ?? article.id
      return backline.kb.articles.create({
        ...{ title, excerpt, body, collection_id, tags, locale, translation_of_id },
      })
    },
    refresh: [articlesKey],
    failed: text.failed,
    fields: ['locale'],
    onDone(made) {
      cache.setQueryData(articleKey(made.id), made)
      navigate(`/articles/${made.id}`)
    },
  })
  return (
    <ActionDialog
      title={text.addTranslation}
      action={text.create}
      isDisabled={isPending || locale === ''}
      onSubmit={mutate}
      onClose={onClose}
    >
      <LocaleField required value={locale} error={faults.at('/locale')} onChange={setLocale} />
      <Quiet as="p">{text.translationHint}</Quiet>
    </ActionDialog>
  )
}

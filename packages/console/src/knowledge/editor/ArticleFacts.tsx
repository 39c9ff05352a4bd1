import type { KbArticle } from '@backline/sdk'
import { Link } from 'wouter'
import { useEveryOperator } from '../../data/configuration.ts'
import { DescriptionList } from '../../design/Page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../../texts/locales.ts'
import { useCollections } from '../shared/collections.ts'
import { texts } from './texts.ts'

/** The facts about an article besides its text. */
export function ArticleFacts({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const localeName = useLocaleName()
  const collection = useCollections().data?.find(({ id }) => id === article.collection_id)
  const author = useEveryOperator().data?.find(({ id }) => id === article.author_id)
  return (
    <>
      <DescriptionList
        items={[
          [text.collection, collection?.name ?? text.noCollection],
          [text.slug, article.slug],
          [text.language, localeName(article.locale)],
          [text.author, author?.name ?? text.noAuthor],
          [text.tags, article.tags.join(', ') || '–'],
          [text.excerpt, article.excerpt ?? '–'],
        ]}
      />
      <PublishedFacts article={article} />
    </>
  )
}

export function PublishedFacts({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const formats = useFormats()
  const { id, published_version, published_at, former_slugs, helpful_count, unhelpful_count } = article
  const published =
    published_version && published_at
      ? text.versionAt(formats.number(published_version), formats.moment(published_at))
      : text.never
  return (
    <DescriptionList
      items={[
        [
          text.published,
          <Link key={id} href={`/articles/${id}/versions`}>
            {published}
          </Link>,
        ],
        [text.votes, text.votesOf(formats.number(helpful_count), formats.number(unhelpful_count))],
        ...(former_slugs.length > 0 ? [[text.formerSlugs, former_slugs.join(', ')] as [string, string]] : []),
      ]}
    />
  )
}

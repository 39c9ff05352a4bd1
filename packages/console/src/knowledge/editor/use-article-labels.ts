import { useTexts } from '../../texts/language.tsx'
import type { ArticleFields } from './fields.ts'
import { texts } from './texts.ts'

/** The names of the fields of an article as people read them. */
export function useArticleLabels(): Record<keyof ArticleFields, string> {
  const text = useTexts(texts)
  return {
    title: text.title,
    slug: text.slug,
    excerpt: text.excerpt,
    body: text.text,
    collection_id: text.collection,
    locale: text.language,
    author_id: text.author,
    tags: text.tags,
  }
}

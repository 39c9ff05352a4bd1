import type { Faq, KbArticle } from '@backline/sdk'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isStored, useLiveEvents, useStaleAfterwards } from '../../data/live.tsx'
import { isChanging } from '../../data/ordered-changes.ts'
import { type ArticlePage, articleKey, articlesKey, summaryOf } from './articles.ts'
import { collectionsKey } from './collections.ts'
import { faqsKey } from './faqs.ts'

const knowledgeKeys = [['kb/articles'], collectionsKey, faqsKey]

/** Keeps articles, collections and FAQs as the stream of events says they are. */
export function LiveKnowledge({ children }: { children: ReactNode }) {
  useLiveKnowledge()
  return children
}

function useLiveKnowledge(): void {
  useStaleAfterwards(knowledgeKeys)
  const cache = useQueryClient()

  function articleChanged(type: string, article: KbArticle): void {
    const isGone = type === 'kb_article.deleted'
    if (!isGone)
      cache.setQueryData<KbArticle>(articleKey(article.id), (known) =>
        known && known.version < article.version ? article : known,
      )
    cache.setQueryData<InfiniteData<ArticlePage>>(articlesKey, (known) => {
      if (!known) return known
      const isListed = known.pages.some(({ data }) => data.some(({ id }) => id === article.id))
      const pages = known.pages.map((page, i) => ({
        ...page,
        data: [
          ...(i === 0 && !isListed && !isGone ? [summaryOf(article)] : []),
          ...page.data.flatMap((each) => {
            if (each.id !== article.id) return [each]
            return isGone ? [] : [each.version < article.version ? summaryOf(article) : each]
          }),
        ],
      }))
      return { ...known, pages }
    })
  }

  useLiveEvents((event) => {
    if (!isStored(event)) return
    const object: unknown = event.data.object
    if (event.type.startsWith('kb_article.')) {
      articleChanged(event.type, object as KbArticle)
      if (event.type === 'kb_article.published')
        void cache.invalidateQueries({ queryKey: [...articleKey(event.resource.id), 'versions'] })
    } else if (event.type.startsWith('kb_collection.'))
      void cache.invalidateQueries({ queryKey: collectionsKey })
    else if (event.type.startsWith('faq.') && !isChanging(cache, faqsKey)) {
      const faq = object as Faq
      cache.setQueryData<Faq[]>(faqsKey, (known) =>
        known?.map((each) => (each.id === faq.id && each.version < faq.version ? faq : each)),
      )
      if (['faq.created', 'faq.deleted'].includes(event.type))
        void cache.invalidateQueries({ queryKey: faqsKey })
    }
  })
}

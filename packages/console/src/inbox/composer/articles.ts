import type { Backline, Faq, KbArticleSummary } from '@backline/sdk'

/** An article or FAQ that can be inserted. */
export type Help = {
  id: string
  title: string
  detail: string
  article: KbArticleSummary | null
  faq: Faq | null
}

export const helpOf = ({ article, faq }: Pick<Help, 'article' | 'faq'>, untitled: string): Help => ({
  id: article?.id ?? faq?.id ?? '',
  title: article ? (article.title ?? untitled) : (faq?.question ?? untitled),
  detail: article?.excerpt ?? '',
  article,
  faq,
})

const image = /!\[[^\]\n]*\]\([^)\n]*\)/g

/** The address at which readers find an article: Backline does not know it, `metadata.url` of the article does. */
function addressOf({ metadata }: KbArticleSummary): string | null {
  const { url = '' } = metadata
  return /^https?:\/\/[^\s()<>]+$/.test(url) && URL.canParse(url) ? url : null
}

/** The text to insert: the title of an article as a link if its address is known, else what it says. */
export async function textOf(backline: Backline, { title, article, faq }: Help): Promise<string> {
  if (faq) return faq.answer
  if (!article) return ''
  const address = addressOf(article)
  if (address) return `[${title.replace(/[[\]\\]/g, '\\$&')}](${address})`
  const { body } = await backline.kb.articles.retrieve(article.id, { view: 'published' })
  // An image of an article is not a file of this message.
  return (body ?? '')
    .replace(image, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

import type { Faq, KbArticleSummary } from '@backline/sdk'

export type Voted = {
  kind: 'article' | 'faq'
  id: string
  title: string | null
  helpful: number
  unhelpful: number
}

export const votedOf = (articles: KbArticleSummary[], faqs: Faq[]): Voted[] => [
  ...articles.map(
    ({ id, title, helpful_count, unhelpful_count }): Voted => ({
      kind: 'article',
      id,
      title,
      helpful: helpful_count,
      unhelpful: unhelpful_count,
    }),
  ),
  ...faqs.map(
    ({ id, question, helpful_count, unhelpful_count }): Voted => ({
      kind: 'faq',
      id,
      title: question,
      helpful: helpful_count,
      unhelpful: unhelpful_count,
    }),
  ),
]

const z = 1.96

/** The share of bad votes that is certain at 95 % (lower bound of Wilson): few votes count for little. */
export function certainlyBad({ helpful, unhelpful }: Pick<Voted, 'helpful' | 'unhelpful'>): number {
  const n = helpful + unhelpful
  if (n === 0) return 0
  const share = unhelpful / n
  const spread = z * Math.sqrt((share * (1 - share) + (z * z) / (4 * n)) / n)
  return (share + (z * z) / (2 * n) - spread) / (1 + (z * z) / n)
}

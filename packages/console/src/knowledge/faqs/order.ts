import type { Faq } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useOrderedChanges } from '../../data/ordered-changes.ts'
import { moved } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { faqsKey } from '../shared/faqs.ts'
import { texts } from './texts.ts'

/** The API orders at most so many at once. */
export const mostOrdered = 500

/** The order after an item took the place of another one. */
export const movedTo = (all: Faq[], id: string, targetId: string): Faq[] =>
  moved(
    all,
    all.findIndex((each) => each.id === id),
    all.findIndex((each) => each.id === targetId),
  )

/** Shows another order at once, and stores it. */
export function useReorder(): (order: Faq[]) => void {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const move = useOrderedChanges<Faq[]>(faqsKey, text.notMoved)
  return (order) =>
    move({
      shown: () => order.map((faq, position) => ({ ...faq, position })),
      store: () => backline.faqs.reorder({ ids: order.map(({ id }) => id) }),
    })
}

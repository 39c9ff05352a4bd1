import type { Faq } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useToast } from '../../design/Toast.tsx'
import { moved } from '../../forms/changes.ts'
import { reasonOf } from '../../texts/faults.ts'
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

/** Reorders at once; the server follows. */
export function useReorder() {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  return async (order: Faq[]): Promise<void> => {
    const before = cache.getQueryData<Faq[]>(faqsKey)
    cache.setQueryData<Faq[]>(
      faqsKey,
      order.map((faq, position) => ({ ...faq, position })),
    )
    try {
      await backline.faqs.reorder({ ids: order.map(({ id }) => id) })
    } catch (error) {
      cache.setQueryData(faqsKey, before)
      toast.failed({ title: text.notMoved, detail: reasonOf(error) })
      await cache.invalidateQueries({ queryKey: faqsKey })
    }
  }
}

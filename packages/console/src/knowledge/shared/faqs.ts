import type { Faq } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

export const faqsKey = ['faqs'] as const

/** All FAQs in their order, archived ones included. */
export function useFaqs() {
  const { backline, can } = useEnvironment()
  return useAll<Faq>(faqsKey, () =>
    can('faqs:read') ? backline.faqs.list({ limit: 100, archived: 'true' }) : nothing(),
  )
}

async function* nothing(): AsyncGenerator<never> {}

import type { Conversation } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type Help, helpOf } from './articles.ts'
import { texts } from './texts.ts'

const most = 3
const freshMs = 5 * 60_000

/** Articles and FAQs that may answer the end user, the best first, while an answer is due. */
export function useSuggestions({ id, status, message_count, last_message_side }: Conversation): Help[] {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const isDue = last_message_side === 'end_user' && status !== 'closed' && status !== 'resolved'
  const { data } = useQuery({
    queryKey: ['conversations', id, 'suggestions', message_count],
    enabled: isDue && (can('kb:read') || can('faqs:read')),
    staleTime: freshMs,
    queryFn: async ({ signal }) =>
      (await backline.conversations.suggestions.list(id, { limit: most }, { signal })).data,
  })
  return isDue && data ? data.map((each) => helpOf(each, text.untitled)) : []
}

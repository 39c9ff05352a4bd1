import { ApiError, type Conversation } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import type { Included } from '../model/conversations.ts'
import { queryOf, type Sort } from '../views/built-in.ts'
import type { ChosenView } from '../views/use-view.ts'
import { type Conditions, filterOfAll } from './conditions.ts'

/** A view, narrowed by conditions and the words of a search. */
export type ListRequest = { view: ChosenView; conditions: Conditions; q: string; sort: Sort }

type Page = {
  data: Conversation[]
  has_more: boolean
  next_cursor: string | null
  total?: number | undefined
  total_is_capped?: boolean | undefined
}
type Part = {
  limit: number
  cursor?: string | undefined
  include: (Included | 'total')[]
}

const isConversation = /^conv_[0-9a-z]{26}$/
const isMessage = /^msg_[0-9a-z]{26}$/
const isWord = /^\S+$/

/** Whether the search names this conversation: it is found then, whatever the view lists. */
export const isNamed = (q: string, { id, external_id }: Conversation): boolean =>
  isMessage.test(q) || q === id || q === external_id

/**
 * Reads a part of a list. The id of a conversation or message finds this conversation. A word that nothing has is
 * looked for as an external id.
 */
export function useReadList() {
  const { backline, operator } = useEnvironment()

  const pageOf = async ({ view, conditions, q, sort }: ListRequest, part: Part, signal?: AbortSignal) => {
    const query = { ...part, ...(q && { q }) }
    if (!view.builtIn) {
      const filter = filterOfAll(conditions)
      return (await backline.views.items.list(view.saved.id, { ...query, filter }, { signal })) as Page
    }
    const own = queryOf(view.builtIn, operator.id)
    const filter = filterOfAll([...(own.filter ? [own.filter] : []), ...conditions])
    return (await backline.conversations.list({ ...query, sort, ...own, filter }, { signal })) as Page
  }

  const named = async (q: string, part: Part, signal?: AbortSignal): Promise<Page> => {
    const include = part.include.filter((each) => each !== 'total')
    const read = async () => {
      const id = isMessage.test(q) ? (await backline.messages.retrieve(q, { signal })).conversation_id : q
      return backline.conversations.retrieve(id, { include }, { signal })
    }
    const data = await read().then(
      (found) => [found],
      (error) => {
        if (error instanceof ApiError && error.status === 404) return []
        throw error
      },
    )
    return { data, has_more: false, next_cursor: null, total: data.length }
  }

  return async (request: ListRequest, part: Part, signal?: AbortSignal): Promise<Page> => {
    const { q } = request
    if (isConversation.test(q) || isMessage.test(q)) return named(q, part, signal)
    const page = await pageOf(request, part, signal)
    if (page.data.length > 0 || part.cursor || !isWord.test(q)) return page
    return (await backline.conversations.list({ ...part, external_id: q }, { signal })) as Page
  }
}

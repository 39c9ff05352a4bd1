import type { Conversation } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { type Conditions, filterOfAll } from '../filter/conditions.ts'
import { queryOf, type Sort } from '../views/built-in.ts'
import type { ChosenView } from '../views/use-view.ts'

/** What a list shows: a view, narrowed by conditions and the words of a search. */
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
  include: ('read_state' | 'end_user' | 'last_message' | 'total')[]
}

/** Reads a part of a list. */
export function useReadList() {
  const { backline, operator } = useEnvironment()
  return async ({ view, conditions, q, sort }: ListRequest, part: Part, signal?: AbortSignal) => {
    const query = { ...part, ...(q && { q }) }
    if (!view.builtIn) {
      const filter = filterOfAll(conditions)
      return (await backline.views.items.list(view.saved.id, { ...query, filter }, { signal })) as Page
    }
    const own = queryOf(view.builtIn, operator.id)
    const filter = filterOfAll([...(own.filter ? [own.filter] : []), ...conditions])
    return backline.conversations.list({ ...query, sort, ...own, filter }, { signal }) as PromiseLike<Page>
  }
}

import type { Backline } from '@backline/sdk'
import { type QueryCache, queryOptions } from '@tanstack/react-query'

/** An address of the bytes of an image, for this page alone. It is valid while the query has an observer. */
export const imageQuery = (backline: Backline, fileId: string) =>
  queryOptions({
    queryKey: ['files', fileId, 'image'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ client }) => {
      const response = await backline.files.content(fileId)
      const bytes = await response.blob()
      freeRemoved(client.getQueryCache())
      return URL.createObjectURL(bytes)
    },
  })

const freed = new WeakSet<QueryCache>()

/** The browser keeps the bytes of an address until it is revoked. */
function freeRemoved(queries: QueryCache): void {
  if (freed.has(queries)) return
  freed.add(queries)
  queries.subscribe(({ type, query: { queryKey, state } }) => {
    if (type === 'removed' && queryKey[0] === 'files' && queryKey[2] === 'image' && state.data)
      URL.revokeObjectURL(state.data)
  })
}

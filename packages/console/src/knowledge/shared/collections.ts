import type { KbArticleSummary, KbCollection } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { childrenOf } from '../../data/tree.ts'

export const collectionsKey = ['kb/collections'] as const

/** All collections, archived ones included. */
export function useCollections() {
  const { backline } = useEnvironment()
  return useAll<KbCollection>(collectionsKey, () =>
    backline.kb.collections.list({ limit: 100, archived: 'true' }),
  )
}

/** A collection at its place in the tree, with the number of articles in it and below it. */
export type Branch = { collection: KbCollection; depth: number; count: number; isLast: boolean }

/** The tree as a list, each collection before its children. */
export function branchesOf(all: KbCollection[], articles: KbArticleSummary[]): Branch[] {
  const counts = Map.groupBy(articles, ({ collection_id }) => collection_id)
  const below = (parentId: string | null, depth: number): Branch[] => {
    const children = childrenOf(all, parentId)
    return children.flatMap((collection, i) => {
      const own = counts.get(collection.id)?.length ?? 0
      const inner = below(collection.id, depth + 1)
      const nested = inner.reduce((sum, each) => (each.depth === depth + 1 ? sum + each.count : sum), 0)
      return [{ collection, depth, count: own + nested, isLast: i === children.length - 1 }, ...inner]
    })
  }
  return below(null, 0)
}

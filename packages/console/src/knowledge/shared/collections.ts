import type { KbArticleSummary, KbCollection } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

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

const byPlace = (a: KbCollection, b: KbCollection) => a.position - b.position || a.name.localeCompare(b.name)

export const siblingsOf = (collection: KbCollection, all: KbCollection[]): KbCollection[] =>
  all.filter(({ parent_id }) => parent_id === collection.parent_id).sort(byPlace)

/** The tree as a list, each collection before its children. */
export function branchesOf(all: KbCollection[], articles: KbArticleSummary[]): Branch[] {
  const counts = Map.groupBy(articles, ({ collection_id }) => collection_id)
  const below = (parentId: string | null, depth: number): Branch[] => {
    const children = all.filter(({ parent_id }) => parent_id === parentId).sort(byPlace)
    return children.flatMap((collection, i) => {
      const own = counts.get(collection.id)?.length ?? 0
      const inner = below(collection.id, depth + 1)
      const nested = inner.reduce((sum, each) => (each.depth === depth + 1 ? sum + each.count : sum), 0)
      return [{ collection, depth, count: own + nested, isLast: i === children.length - 1 }, ...inner]
    })
  }
  return below(null, 0)
}

/** The id of a collection and those of all collections below it. */
export function idsBelow(id: string, all: KbCollection[]): Set<string> {
  const ids = new Set([id])
  for (const found of ids) for (const each of all) if (each.parent_id === found) ids.add(each.id)
  return ids
}

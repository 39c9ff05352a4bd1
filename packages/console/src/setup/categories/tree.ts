import type { Category } from '@backline/sdk'
import { childrenOf } from '../../data/tree.ts'

export type Place = { parent_id: string | null; at: number }

export type Move = 'up' | 'down' | 'in' | 'out'

/** The place to which a move leads; null if there is none. */
export function placeOf(categories: Category[], category: Category, move: Move): Place | null {
  const siblings = childrenOf(categories, category.parent_id)
  const at = siblings.findIndex(({ id }) => id === category.id)
  if (move === 'up') return at > 0 ? { parent_id: category.parent_id, at: at - 1 } : null
  if (move === 'down') return at < siblings.length - 1 ? { parent_id: category.parent_id, at: at + 1 } : null
  if (move === 'in') {
    const above = siblings[at - 1]
    return above ? { parent_id: above.id, at: childrenOf(categories, above.id).length } : null
  }
  const parent = categories.find(({ id }) => id === category.parent_id)
  if (!parent) return null
  const uncles = childrenOf(categories, parent.parent_id)
  return { parent_id: parent.parent_id, at: uncles.findIndex(({ id }) => id === parent.id) + 1 }
}

/** The categories that change when one is put at another place, as they are afterwards. */
export function changedBy(categories: Category[], category: Category, { parent_id, at }: Place): Category[] {
  const siblings = childrenOf(categories, parent_id).filter(({ id }) => id !== category.id)
  siblings.splice(at, 0, { ...category, parent_id })
  return siblings.flatMap((each, i) => {
    const next = { ...each, position: i + 1 }
    const before = categories.find(({ id }) => id === each.id)!
    return next.position === before.position && next.parent_id === before.parent_id ? [] : [next]
  })
}

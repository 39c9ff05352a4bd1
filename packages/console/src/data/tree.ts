type Node = { id: string; parent_id: string | null; position: number; name: string }

/** The children of a node, or the roots, in their order. */
export const childrenOf = <Item extends Node>(items: Item[], parentId: string | null): Item[] =>
  items
    .filter((each) => each.parent_id === parentId)
    .sort((a, b) => a.position - b.position || a.name.localeCompare(b.name))

/** The ids of a node and of everything below it. */
export function idsBelow(items: Node[], id: string): Set<string> {
  const ids = new Set([id])
  for (const found of ids) for (const each of items) if (each.parent_id === found) ids.add(each.id)
  return ids
}

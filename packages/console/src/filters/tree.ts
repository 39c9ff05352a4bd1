import type { FilterCondition, FilterTree } from '@backline/sdk'

export type Connective = 'all' | 'any'

export const mostLevels = 4

export const isCondition = (node: FilterTree): node is FilterCondition => 'field' in node
export const isNot = (node: FilterTree): node is { not: FilterTree } => 'not' in node

export const connectiveOf = (node: FilterTree): Connective | null =>
  'all' in node ? 'all' : 'any' in node ? 'any' : null

export const nodesOf = (node: FilterTree): readonly FilterTree[] =>
  'all' in node ? node.all : 'any' in node ? node.any : []

export const groupOf = (connective: Connective, nodes: readonly FilterTree[]): FilterTree =>
  connective === 'all' ? { all: nodes } : { any: nodes }

export const levelsOf = (node: FilterTree): number =>
  isCondition(node)
    ? 1
    : isNot(node)
      ? 1 + levelsOf(node.not)
      : 1 + Math.max(0, ...nodesOf(node).map(levelsOf))

/** The filter as a group, which the builder shows at the top. */
export const asGroup = (node: FilterTree): FilterTree => (connectiveOf(node) ? node : { all: [node] })

/** Takes a group around a single node away if the filter would be too deep with it. */
export function asFilter(node: FilterTree): FilterTree {
  const [only, ...others] = nodesOf(node)
  return only && others.length === 0 && levelsOf(node) > mostLevels ? only : node
}

/** True if a value is a filter in form; its fields and values are for the server to check. */
export function isFilter(value: unknown): value is FilterTree {
  if (typeof value !== 'object' || value === null) return false
  if ('not' in value) return isFilter(value.not)
  const nodes = 'all' in value ? value.all : 'any' in value ? value.any : undefined
  if (nodes !== undefined) return Array.isArray(nodes) && nodes.every(isFilter)
  return 'field' in value && 'op' in value
}

/** True if no group is empty, and every condition has a known field and a value. */
export function isComplete(node: FilterTree, fields: ReadonlySet<string>): boolean {
  if (isNot(node)) return isComplete(node.not, fields)
  if (!isCondition(node))
    return nodesOf(node).length > 0 && nodesOf(node).every((each) => isComplete(each, fields))
  const { field, value } = node
  return fields.has(field) && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/*
 * Parses the text form of an analysed statement, `{QUERY :commandType 1 :rtable ({…}) …}`. PostgreSQL writes it, so
 * that it cannot differ from PostgreSQL's own analysis. See `nodeToString()` in src/backend/nodes/outfuncs.c.
 */

/** The value of a field: a node, a list, a word, or several of these; null for `<>`. */
export type Tree = Node | Tree[] | string | null
export type Node = { type: string; fields: Record<string, Tree> }

const tokens = /[(){}]|"(?:[^"\\]|\\.)*"|(?:[^\s(){}\\]|\\.)+/gs

/** @param text the whole of a `pg_node_tree` */
export function parseTree(text: string): Tree {
  const all = text.match(tokens) ?? []
  let at = 0

  function value(): Tree {
    const token = all[at++]!
    if (token === '{') return node()
    if (token === '(') return list()
    return token === '<>' ? null : token.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
  }

  function list(): Tree[] {
    const members: Tree[] = []
    while (all[at] !== ')') members.push(value())
    at++
    return members
  }

  function node(): Node {
    const type = all[at++]!
    const fields: Record<string, Tree> = {}
    while (all[at] !== '}') {
      const name = all[at++]!.slice(1)
      const values: Tree[] = []
      while (all[at] !== '}' && !all[at]!.startsWith(':')) values.push(value())
      fields[name] = values.length === 1 ? values[0]! : values
    }
    at++
    return { type, fields }
  }

  return value()
}

export const isNode = (tree: Tree | undefined, type?: string): tree is Node =>
  tree != null && typeof tree === 'object' && !Array.isArray(tree) && (!type || tree.type === type)

/** The members of a list of nodes; none of null. */
export const nodesOf = (tree: Tree | undefined): Node[] =>
  Array.isArray(tree) ? tree.filter((member) => isNode(member)) : isNode(tree) ? [tree] : []

/** All nodes of a tree, its root first, except those below nodes that `below` rejects. */
export function* walk(tree: Tree | undefined, below: (node: Node) => boolean = () => true): Generator<Node> {
  if (Array.isArray(tree)) for (const member of tree) yield* walk(member, below)
  else if (isNode(tree)) {
    yield tree
    if (below(tree)) for (const field of Object.values(tree.fields)) yield* walk(field, below)
  }
}

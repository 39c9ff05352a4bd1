import { type Template, Token, TokenKind, TypeGuards, Value, type ValueToken } from 'liquidjs'

/** Read as a property, it makes a value the bound of a range: an integer that a loop can count to. */
export const rangeBound = '(bound)'

type Names = Set<string>

/**
 * The paths of the variables that a template takes from outside, such as `customer.name`. liquidjs has an analysis
 * of its own, which looks up line and column of each and so takes the square of the template's length.
 *
 * On its way it sees to the bounds of ranges: liquidjs counts from one to the other in doubles, and never arrives
 * when they are too large to be told apart.
 */
export function readPaths(nodes: Template[]): Set<string> {
  const found = new Set<string>()
  const assigned: Names = new Set()

  function visit(node: Template, local: Names): void {
    for (const argument of node.arguments?.() ?? []) {
      for (const [root, path] of pathsOf(argument))
        if (!local.has(root) && !assigned.has(root)) found.add(path)
    }
    for (const name of node.localScope?.() ?? []) assigned.add(name.content)
    const inner = node.blockScope ? new Set([...local, ...node.blockScope()]) : local
    // Without partials and synchronous, the children are there at once.
    const children = node.children?.(false, true).next().value as Template[] | undefined
    for (const child of children ?? []) visit(child, inner)
  }

  for (const node of nodes) visit(node, new Set())
  return found
}

/** A variable's first name, and its whole path. */
type Found = [root: string, path: string]

function* pathsOf(argument: unknown): Iterable<Found> {
  if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) {
    for (const token of argument.initial.postfix) yield* pathsOfToken(token)
    for (const { args } of argument.filters) {
      for (const arg of args) yield* pathsOfToken(Array.isArray(arg) ? arg[1] : arg)
    }
  } else yield* pathsOfToken(argument)
}

function* pathsOfToken(token: unknown): Iterable<Found> {
  if (TypeGuards.isRangeToken(token)) {
    yield* pathsOfToken(token.lhs)
    yield* pathsOfToken(token.rhs)
    token.lhs = asBound(token.lhs)
    token.rhs = asBound(token.rhs)
  } else if (TypeGuards.isPropertyAccessToken(token)) {
    if (token.variable) yield* pathsOfToken(token.variable)
    for (const prop of token.props) yield* pathsOfToken(prop)
    const [root, ...rest] = token.props
    if (!token.variable && root && 'content' in root)
      yield [String(root.content), String(root.content) + rest.map(segment).join('')]
  }
}

/** A member as Liquid writes it: `.name`, `[0]`, `['with space']` or `[index]`. */
function segment(prop: unknown): string {
  if (TypeGuards.isNumberToken(prop)) return `[${prop.content}]`
  if (TypeGuards.isPropertyAccessToken(prop)) return `[${[...pathsOfToken(prop)].at(-1)?.[1] ?? ''}]`
  const name = String((prop as { content?: unknown }).content)
  return /^[\w\u0080-\uffff-]+$/.test(name) ? `.${name}` : `['${name}']`
}

/** `bound` of `value[rangeBound]`, as liquidjs would have parsed it. */
function asBound(token: ValueToken): ValueToken {
  const { input, begin, end } = token
  const as = (kind: TokenKind, more: object): unknown =>
    Object.assign(Object.create(Token.prototype), { kind, input, begin, end, ...more })
  const prop = as(TokenKind.Quoted, { content: rangeBound })
  return as(TokenKind.PropertyAccess, { variable: token, props: [prop] }) as ValueToken
}

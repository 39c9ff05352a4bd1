import {
  type Context,
  EchoTag,
  type Emitter,
  Output,
  type Template,
  Token,
  TokenKind,
  TypeGuards,
  Value,
  type ValueToken,
} from 'liquidjs'
import { TemplateFault } from './liquid-faults.ts'

/** Read as a property, it converts a value to the bound of a range: an integer that a loop can reach. */
export const rangeBound = '(bound)'

type Names = Set<string>

/**
 * The paths of the variables that a template reads from outside, such as `customer.name`. The analysis of liquidjs
 * computes line and column of each, which takes quadratic time.
 *
 * It also corrects two properties of liquidjs: it counts through a range in doubles, and never ends if the bounds are
 * too large to be distinguished; and its outputs do not record which variable had no value.
 */
export function prepare(nodes: Template[]): Set<string> {
  const found = new Set<string>()
  const assigned: Names = new Set()

  function visit(node: Template, local: Names): void {
    for (const argument of node.arguments?.() ?? []) {
      for (const [root, path] of pathsOf(argument))
        if (!local.has(root) && !assigned.has(root)) found.add(path)
    }
    if (node instanceof Output || node instanceof EchoTag) node.render = writeValue
    for (const name of node.localScope?.() ?? []) assigned.add(name.content)
    const inner = node.blockScope ? new Set([...local, ...node.blockScope()]) : local
    // Without partials and in synchronous mode, the children are available at once.
    const children = node.children?.(false, true).next().value as Template[] | undefined
    for (const child of children ?? []) visit(child, inner)
  }

  for (const node of nodes) visit(node, new Set())
  return found
}

function* writeValue(this: Template, context: Context, emitter: Emitter): Generator {
  emitter.write(yield (this as Output).value?.value(context, false))
}

/** Nested paths, such as `items[order[key]]`. */
const maxDepth = 10

/** A variable's first name, and its whole path. */
type Found = [root: string, path: string]

function* pathsOf(argument: unknown): Iterable<Found> {
  if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) {
    for (const token of argument.initial.postfix) yield* pathsOfToken(token, 0)
    for (const { args } of argument.filters) {
      for (const arg of args) yield* pathsOfToken(Array.isArray(arg) ? arg[1] : arg, 0)
    }
  } else yield* pathsOfToken(argument, 0)
}

/** The last path is that of the token itself. */
function pathsOfToken(token: unknown, depth: number): Found[] {
  if (depth > maxDepth) throw new TemplateFault('is nested too deeply')
  if (TypeGuards.isRangeToken(token)) {
    const found = [...pathsOfToken(token.lhs, depth + 1), ...pathsOfToken(token.rhs, depth + 1)]
    token.lhs = asBound(token.lhs)
    token.rhs = asBound(token.rhs)
    return found
  }
  if (!TypeGuards.isPropertyAccessToken(token)) return []
  const found = pathsOfToken(token.variable, depth + 1)
  const parts = token.props.map((prop): PathPart => {
    const inside = pathsOfToken(prop, depth + 1)
    found.push(...inside)
    if (!('content' in prop)) return { path: inside.at(-1)?.[1] ?? '' }
    return typeof prop.content === 'number' ? prop.content : String(prop.content)
  })
  const [root] = parts
  if (!token.variable && typeof root === 'string') found.push([root, pathText(parts)])
  return found
}

type PathPart = string | number | { path: string }

/** A path in Liquid's notation: `customer.name`, `items[0]`, `labels['with space']` or `items[index]`. */
export const pathText = (parts: PathPart[]): string =>
  parts
    .map((part, i) => {
      if (typeof part === 'object') return `[${part.path}]`
      if (typeof part === 'number') return `[${part}]`
      if (!/^[\w\u0080-\uffff-]+$/.test(part)) return `['${part}']`
      return i === 0 ? part : `.${part}`
    })
    .join('')

/** `bound` of `value[rangeBound]`, in the form that liquidjs parses. */
function asBound(token: ValueToken): ValueToken {
  const { input, begin, end } = token
  const as = (kind: TokenKind, more: object): unknown =>
    Object.assign(Object.create(Token.prototype), { kind, input, begin, end, ...more })
  const prop = as(TokenKind.Quoted, { content: rangeBound })
  return as(TokenKind.PropertyAccess, { variable: token, props: [prop] }) as ValueToken
}

import {
  Context,
  Drop,
  type Emitter,
  evalToken,
  type FilterImplOptions,
  type ForTag,
  toValue,
  toValueSync,
} from 'liquidjs'
import { TemplateFault } from './liquid-limits.ts'
import { rangeBound } from './liquid-paths.ts'

/** Nodes and filters in one rendering. */
const maxSteps = 50_000
const maxTextLength = 65_536
/** Numbers of loops and the like are integers well below where doubles lose them: 2^53 + 1 is 2^53. */
const maxBound = 1_000_000

/** The names that a loop's own variable has; everything else of it is machinery. */
const loopFields = new Set(['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length'])

/**
 * A variable without a value. It can be asked whether it is there, and be replaced by `default`; it is told as
 * missing only where its value is used.
 */
class Missing extends Drop {
  readonly path: string

  constructor(path: string) {
    super()
    this.path = path
  }

  override valueOf(): null {
    return null
  }
}

type Path = Parameters<Context['_get']>[0]

/** One rendering: what it sees, what it has used up, and which variables it missed. */
export class RenderContext extends Context {
  readonly missing = new Set<string>()
  readonly moment: string
  #steps = 0

  constructor(variables: object, moment: string, options: Context['opts']) {
    // A copy without a prototype: `increment` writes to it, and `__proto__` is a name like any other.
    super(Object.assign(Object.create(null), variables), options, { sync: true })
    this.moment = moment
  }

  run(rendering: unknown): void {
    toValueSync(rendering)
  }

  step(count = 1): void {
    this.#steps += count
    if (this.#steps > maxSteps) throw new TemplateFault('takes too many steps to render', 'too_large')
  }

  /** A variable's value is needed: a missing one is noted, and stands for nothing. */
  use(value: unknown): unknown {
    if (!(value instanceof Missing)) return value
    this.missing.add(value.path)
    return ''
  }

  override *_get(path: Path): IterableIterator<unknown> {
    const value = yield super._get(path)
    return value ?? new Missing(pathText(path))
  }

  override *_getFromScope(scope: unknown, path: Path | string, strict?: boolean): IterableIterator<unknown> {
    if (path[0] === rangeBound) return this.#bound(scope)
    return yield super._getFromScope(scope, path, strict)
  }

  override readProperty(from: object, key: string | number | Drop): unknown {
    if (from instanceof Missing) return from
    if (from instanceof Drop && !loopFields.has(String(key))) return undefined
    return super.readProperty(from as never, key)
  }

  #bound(value: unknown): number {
    const bound = Math.trunc(Number(toValue(this.use(value)))) || 0
    if (Math.abs(bound) > maxBound) throw new TemplateFault(`counts beyond ${maxBound}`, 'too_large')
    return bound
  }
}

const pathText = (path: Path): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? `${part}` : `.${part}`)).join('')

/** Rendered text, or a part of it that is captured; it does not grow beyond what a message can hold. */
export class Text implements Emitter {
  buffer = ''
  readonly #context: RenderContext

  constructor(context: RenderContext) {
    this.#context = context
  }

  write(value: unknown): void {
    const shown = this.#context.use(value)
    this.#context.memoryLimit.use(weigh(shown, 0))
    this.buffer += textOf(shown)
    // Code units, of which a character has one or two; `finished` counts characters.
    if (this.buffer.length > 2 * maxTextLength) throw tooLong()
  }

  /** @throws TemplateFault when it has too many characters */
  finished(): string {
    const text = this.buffer.toWellFormed()
    if (text.length > maxTextLength && [...text].length > maxTextLength) throw tooLong()
    return text
  }
}

const tooLong = () => new TemplateFault(`makes a text of more than ${maxTextLength} characters`, 'too_long')

function textOf(value: unknown): string {
  const plain: unknown = toValue(value)
  if (plain == null) return ''
  if (Array.isArray(plain)) return plain.map(textOf).join('')
  if (typeof plain === 'object')
    throw new TemplateFault('shows an object, which has no text: name a member of it')
  return String(plain)
}

/** How much there is to handle in a value: characters, items, and members. */
function weigh(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || value instanceof Drop) return 1
  if (depth > 20) throw new TemplateFault('nests lists too deeply', 'too_large')
  let sum = 1
  for (const member of Array.isArray(value) ? value : Object.values(value)) sum += weigh(member, depth + 1)
  return sum
}

/** Searching a long text for a long one takes their product, inside a single call that nothing can end. */
function chargeSearch(context: Context, text: unknown, pattern: unknown): void {
  if (typeof pattern === 'string') context.memoryLimit.use((weigh(text, 0) * pattern.length) / 256)
}

/** The `contains` of conditions: of texts and of lists. */
export function boundedContains(left: unknown, right: unknown, context: Context): boolean {
  const [whole, part]: unknown[] = [toValue(left), toValue(right)]
  context.memoryLimit.use(weigh(whole, 0))
  chargeSearch(context, whole, part)
  if (Array.isArray(whole)) return whole.includes(part)
  return typeof whole === 'string' && part != null && whole.includes(String(part))
}

/** A filter that counts as a step, pays for what it handles, and takes no variable without a value. */
export function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handle = typeof filter === 'function' ? filter : filter.handler
  const isDefault = name === 'default'
  return function (value: unknown, ...given: unknown[]): unknown {
    const context = this.context as RenderContext
    context.step()
    const args = isDefault ? given : given.map((arg) => context.use(arg))
    let input = isDefault ? toValue(value) : context.use(value)
    if (name === 'date' && (input === 'now' || input === 'today')) input = context.moment
    context.memoryLimit.use(weigh(input, 0) + weigh(args, 0))
    for (const arg of args) chargeSearch(context, input, arg)
    const result: unknown = toValueSync(handle.call(this, input, ...args))
    if (typeof result === 'string' && result.length > 2 * maxTextLength) throw tooLong()
    return result
  }
}

/** A `for` that takes no list without a value. */
export const checkedFor = (For: typeof ForTag): typeof ForTag =>
  class extends For {
    override *render(context: Context, emitter: Emitter) {
      const range = 'lhs' in this.collection
      if (!range) (context as RenderContext).use(yield evalToken(this.collection as never, context))
      return yield* super.render(context, emitter)
    }
  }

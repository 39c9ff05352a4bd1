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
import { TemplateFault } from './liquid-faults.ts'
import { pathText, rangeBound } from './liquid-paths.ts'

/** Nodes and filters in one rendering: far above what a message needs, so who exceeds it means harm. */
const maxSteps = 20_000
const maxTextLength = 65_536
/** Numbers of loops and the like are integers well below where doubles lose them: 2^53 + 1 is 2^53. */
const maxBound = 1_000_000

/** Filters that take the name of a member. */
const ofMembers = new Set(['map', 'reject', 'sort', 'sort_natural', 'sum', 'where'])

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
  #lastMissing = ''

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

  /** Pays for handling a value: for its characters, items and members. */
  pay(value: unknown, times = 1): void {
    this.memoryLimit.use(times * (typeof value === 'string' ? value.length : 1))
    if (typeof value !== 'object' || value === null || value instanceof Drop) return
    for (const member of Array.isArray(value) ? value : Object.values(value)) this.pay(member, times)
  }

  /** Searching a long text for a long one takes their product, in a single call that nothing can end. */
  paySearch(text: unknown, pattern: unknown): void {
    if (typeof text === 'string' && typeof pattern === 'string')
      this.memoryLimit.use((text.length * pattern.length) / 256)
  }

  /** A member is looked up in every item, name by name of its path. */
  payMembers(items: unknown, path: unknown): void {
    if (Array.isArray(items)) this.memoryLimit.use(items.length * (4 + String(path ?? '').length))
  }

  /** A variable's value is needed: a missing one is noted, and stands for nothing. */
  use(value: unknown): unknown {
    if (!(value instanceof Missing)) return value
    this.missing.add(value.path)
    return ''
  }

  override *_get(path: Path): IterableIterator<unknown> {
    const value = yield super._get(path)
    if (value != null) return value
    // A null inside a path is the missing variable that was just asked for: `items[index]`.
    const parts = path.map((part) => (typeof part === 'number' ? part : String(part)))
    if (!path.includes(null as never)) this.#lastMissing = pathText(parts)
    return new Missing(this.#lastMissing)
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
    if (Math.abs(bound) > maxBound) throw new TemplateFault(`has a range beyond ${maxBound}`, 'too_large')
    return bound
  }
}

/** Rendered text, or a part of it that is captured; it does not grow beyond what a message can hold. */
export class Text implements Emitter {
  buffer = ''
  readonly #context: RenderContext

  constructor(context: RenderContext) {
    this.#context = context
  }

  write(value: unknown): void {
    const shown = this.#context.use(value)
    this.#context.pay(shown)
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

const tooLong = () => new TemplateFault(`renders more than ${maxTextLength} characters`, 'too_long')

function textOf(value: unknown): string {
  const plain: unknown = toValue(value)
  if (plain == null) return ''
  if (Array.isArray(plain)) return plain.map(textOf).join('')
  if (typeof plain === 'object')
    throw new TemplateFault('outputs an object; output one of its members instead')
  if (typeof plain === 'number' && !Number.isFinite(plain))
    throw new TemplateFault('outputs a calculation without a finite result')
  return String(plain)
}

/** The `contains` of conditions: of texts and of lists. */
export function boundedContains(left: unknown, right: unknown, context: Context): boolean {
  const [whole, part]: unknown[] = [toValue(left), toValue(right)]
  const rendering = context as RenderContext
  rendering.pay(whole)
  rendering.paySearch(whole, part)
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
    context.pay(input, name.startsWith('sort') ? 10 : 1)
    context.pay(args)
    for (const arg of args) context.paySearch(input, arg)
    if (ofMembers.has(name)) context.payMembers(input, args[0])
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

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

/** Nodes and filters in one rendering: far above the needs of a message. */
const maxSteps = 20_000
const maxTextLength = 65_536
/** Loop bounds are integers well below the limit of doubles, where 2^53 + 1 equals 2^53. */
const maxBound = 1_000_000

/** Filters that take the name of a member. */
const ofMembers = new Set(['map', 'reject', 'sort', 'sort_natural', 'sum', 'where'])

/** The members of a loop's own variable; its other members are internal. */
const loopFields = new Set(['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length'])

/**
 * A variable without a value. Templates can test it and replace it with `default`. It is reported as missing only
 * where its value is used.
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

/** One rendering: its variables, its consumption, and the missing variables. */
export class RenderContext extends Context {
  readonly missing = new Set<string>()
  readonly moment: string
  #steps = 0
  #lastMissing = ''

  constructor(variables: object, moment: string, options: Context['opts']) {
    // A copy without a prototype: `increment` writes to it, and `__proto__` is an ordinary name.
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

  /** Counts the characters, items and members of a processed value. */
  pay(value: unknown, times = 1): void {
    this.memoryLimit.use(times * (typeof value === 'string' ? value.length : 1))
    if (typeof value !== 'object' || value === null || value instanceof Drop) return
    for (const member of Array.isArray(value) ? value : Object.values(value)) this.pay(member, times)
  }

  /** Searching a long text for a long one takes time proportional to their product, in one uninterruptible call. */
  paySearch(text: unknown, pattern: unknown): void {
    if (typeof text === 'string' && typeof pattern === 'string')
      this.memoryLimit.use((text.length * pattern.length) / 256)
  }

  /** A member path is resolved in every item, name by name. */
  payMembers(items: unknown, path: unknown): void {
    if (Array.isArray(items)) this.memoryLimit.use(items.length * (4 + String(path ?? '').length))
  }

  /** Uses the value of a variable. A missing one is recorded and rendered as nothing. */
  use(value: unknown): unknown {
    if (!(value instanceof Missing)) return value
    this.missing.add(value.path)
    return ''
  }

  override *_get(path: Path): IterableIterator<unknown> {
    const value = yield super._get(path)
    if (value != null) return value
    // A null inside a path is the missing variable that was just resolved: `items[index]`.
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

/** Rendered or captured text, limited to the length of a message. */
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
    // Code units, one or two per character; `finished` counts characters.
    if (this.buffer.length > 2 * maxTextLength) throw tooLong()
  }

  /** @throws TemplateFault if it has too many characters */
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

/** The `contains` of conditions, for strings and lists. */
export function boundedContains(left: unknown, right: unknown, context: Context): boolean {
  const [whole, part]: unknown[] = [toValue(left), toValue(right)]
  const rendering = context as RenderContext
  rendering.pay(whole)
  rendering.paySearch(whole, part)
  if (Array.isArray(whole)) return whole.includes(part)
  return typeof whole === 'string' && part != null && whole.includes(String(part))
}

/** A filter that counts as a step, counts its input, and rejects variables without a value. */
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

/** A `for` that rejects lists without a value. */
export const checkedFor = (For: typeof ForTag): typeof ForTag =>
  class extends For {
    override *render(context: Context, emitter: Emitter) {
      const range = 'lhs' in this.collection
      if (!range) (context as RenderContext).use(yield evalToken(this.collection as never, context))
      return yield* super.render(context, emitter)
    }
  }

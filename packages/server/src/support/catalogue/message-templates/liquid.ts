import { defaultOperators, ForTag, filters, Liquid, type Template } from 'liquidjs'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import { type Caller, TookTooLong } from '../../../platform/kernel/threads.ts'
import { boundedContains, boundedFilter, checkedFor, RenderContext, Text } from './liquid-context.ts'
import { faultOf, TemplateFault } from './liquid-faults.ts'
import { prepare } from './liquid-paths.ts'

/** A parsed body: what renders, and the paths of the variables that it refers to. */
type Parsed = { nodes: Template[]; variables: string[] }

/** Tags and outputs in one body: what takes long to parse is not text but these. */
const maxNodes = 1_000

/** Filters of Liquid that make a text or choose from a list. Those that evaluate Liquid or encode data stay out. */
const allowedFilters = new Set(
  `abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once
  first floor join last lstrip map minus modulo newline_to_br plus prepend reject remove remove_first remove_last
  replace replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html
  strip_newlines sum times truncate truncatewords uniq upcase url_encode where`.split(/\s+/),
)
/** Tags that read other templates, and two that are for tables in HTML. */
const refusedTags = ['include', 'render', 'layout', 'block', 'tablerow', 'cycle']

const liquid = makeEngine()

function makeEngine(): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    lenientIf: true,
    locale: 'en-US',
    timezoneOffset: 0,
    memoryLimit: 500_000,
    operators: { ...defaultOperators, contains: boundedContains },
    // There is nothing to read: whatever asked for a file would find none.
    templates: {},
  })
  for (const [name, filter] of Object.entries(filters)) {
    if (allowedFilters.has(name)) engine.registerFilter(name, boundedFilter(name, filter))
    else engine.unregisterFilter(name)
  }
  for (const name of refusedTags) {
    const parse = () => {
      throw new TemplateFault(`uses the tag "${name}", which is not available`)
    }
    engine.registerTag(name, { parse, render: () => undefined })
  }
  engine.registerTag('for', checkedFor(ForTag))
  const { renderer } = engine
  const renderNodes = renderer.renderTemplates.bind(renderer)
  // Everything that renders passes here, captured text and the bodies of loops included.
  renderer.renderTemplates = (nodes, context, emitter = new Text(context as RenderContext)) => {
    const rendering = context as RenderContext
    rendering.step(nodes.length + 1)
    return renderNodes(nodes, context, emitter)
  }
  return engine
}

/**
 * The paths of the variables that a body refers to.
 * @throws TemplateFault saying what is wrong with it, and where
 */
export const variablesOf = (caller: Caller, body: string): Promise<string[]> => call(caller, readBody, body)

/**
 * Renders a body. It reaches nothing but the variables, and ends soon whatever the body says: all that it does is
 * counted.
 * @throws TemplateFault for what cannot be rendered
 */
export const render = (caller: Caller, body: string, scope: Scope): Promise<Rendered> =>
  call(caller, fillBody, body, scope)

/** Without a loop it does nothing more than once: so short a body takes milliseconds, whatever it says. */
const isSmall = (body: string) => body.length <= 1_000 && !/\{%[\s\S]*\bfor\b/.test(body)

/** Calls one of the two below, in a thread if it may take long. */
async function call<Args extends unknown[], Value>(
  { env, services }: Caller,
  work: (body: string, ...args: Args) => Outcome<Value>,
  body: string,
  ...args: Args
): Promise<Value> {
  try {
    const outcome = isSmall(body)
      ? work(body, ...args)
      : await services.threads.run(env.tenantId, import.meta.url, work, body, ...args)
    if ('value' in outcome) return outcome.value
    throw new TemplateFault(outcome.fault, outcome.code)
  } catch (error) {
    throw error instanceof TookTooLong ? new TemplateFault('takes too long to render', 'too_large') : error
  }
}

/** Errors lose their class on the way between threads. */
type Outcome<Value> = { value: Value } | { fault: string; code: FieldErrorCode }

function outcomeOf<Value>(work: () => Value): Outcome<Value> {
  try {
    return { value: work() }
  } catch (error) {
    const { message, code } = faultOf(error)
    return { fault: message, code }
  }
}

export const readBody = (body: string): Outcome<string[]> => outcomeOf(() => parseTemplate(body).variables)
export const fillBody = (body: string, scope: Scope): Outcome<Rendered> =>
  outcomeOf(() => renderParsed(parseTemplate(body), scope))

function parseTemplate(body: string): Parsed {
  if ((body.match(/\{[{%]/g)?.length ?? 0) > maxNodes)
    throw new TemplateFault(`has more than ${maxNodes} tags and outputs`, 'too_long')
  const nodes = liquid.parse(body)
  return { nodes, variables: [...prepare(nodes)].sort() }
}

/** What a rendering sees. */
export type Scope = {
  variables: Record<string, unknown>
  /** The moment that `now` is, also in `{{ 'now' | date }}`. */
  now: string
  /** The language of month and day names. */
  locale: string | null
}

/** `missing` names the variables that were used and have no value; then the text has gaps. */
export type Rendered = { text: string; missing: string[] }

function renderParsed({ nodes }: Parsed, { variables, now, locale }: Scope): Rendered {
  const options = { ...liquid.options, locale: dateLocale(locale) }
  const context = new RenderContext(variables, now, options)
  const output = new Text(context)
  try {
    context.run(liquid.renderer.renderTemplates(nodes, context, output))
    return { text: output.finished(), missing: [...context.missing].sort() }
  } catch (error) {
    // What else goes wrong may come of the gaps.
    if (context.missing.size > 0) return { text: '', missing: [...context.missing].sort() }
    throw error
  }
}

/** Well-formed by BCP 47's grammar is not yet a locale that `Intl` takes. */
function dateLocale(locale: string | null): string {
  try {
    return Intl.getCanonicalLocales(locale ?? [])[0] ?? 'en-US'
  } catch {
    return 'en-US'
  }
}

import { defaultOperators, ForTag, filters, Liquid, type Template } from 'liquidjs'
import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import { type Caller, TookTooLong } from '../../../platform/kernel/threads.ts'
import type { ValueFault } from '../../../platform/resource/schema.ts'
import { boundedContains, boundedFilter, checkedFor, RenderContext, Text } from './liquid-context.ts'
import { faultOf, TemplateFault } from './liquid-faults.ts'
import { prepare } from './liquid-paths.ts'

/** A parsed body: its nodes, and the paths of its variables. */
type Parsed = { nodes: Template[]; variables: string[] }

/** Tags and outputs in one body; they determine the parsing time, not text. */
const maxNodes = 1_000

/**
 * Filters of Liquid that produce text or select from a list. Filters that evaluate Liquid or encode data are
 * excluded.
 */
const allowedFilters = new Set(
  `abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once
  first floor join last lstrip map minus modulo newline_to_br plus prepend reject remove remove_first remove_last
  replace replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html
  strip_newlines sum times truncate truncatewords uniq upcase url_encode where`.split(/\s+/),
)
/** Tags that read other templates, and two for HTML tables. */
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
    // No file exists for templates to read.
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
  // All output passes here, including captured text and the bodies of loops.
  renderer.renderTemplates = (nodes, context, emitter = new Text(context as RenderContext)) => {
    const rendering = context as RenderContext
    rendering.step(nodes.length + 1)
    return renderNodes(nodes, context, emitter)
  }
  return engine
}

/**
 * The paths of a body's variables.
 * @throws TemplateFault with the error and its place
 */
export const variablesOf = (caller: Caller, body: string): Promise<string[]> => call(caller, readBody, body)

/** The fault of a body that is no template. */
export async function templateFaults(body: string, caller: Caller): Promise<ValueFault[]> {
  try {
    await variablesOf(caller, body)
    return []
  } catch (error) {
    if (error instanceof TemplateFault) return [{ code: error.code, detail: error.message }]
    throw error
  }
}

/**
 * Renders a body. It can read only the variables, and all its work is counted, so it always ends.
 * @throws TemplateFault if the body cannot be rendered
 */
export const render = (caller: Caller, body: string, scope: Scope): Promise<Rendered> =>
  call(caller, fillBody, body, scope)

/** Without a loop, each step runs once: a body of this length takes milliseconds. */
const isSmall = (body: string) => body.length <= 1_000 && !/\{%[\s\S]*\bfor\b/.test(body)

/** Calls one of the functions below, in a thread if it may take long. */
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

/** Errors lose their class between threads. */
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

/** The input of a rendering. */
export type Scope = {
  variables: Record<string, unknown>
  /** The value of `now`, also in `{{ 'now' | date }}`. */
  now: string
  /** The language of month and day names. */
  locale: string | null
}

/** `missing` lists used variables without a value; the text then has gaps. */
export type Rendered = { text: string; missing: string[] }

function renderParsed({ nodes }: Parsed, { variables, now, locale }: Scope): Rendered {
  const options = { ...liquid.options, locale: dateLocale(locale) }
  const context = new RenderContext(variables, now, options)
  const output = new Text(context)
  try {
    context.run(liquid.renderer.renderTemplates(nodes, context, output))
    return { text: output.finished(), missing: [...context.missing].sort() }
  } catch (error) {
    // Further errors may be consequences of the gaps.
    if (context.missing.size > 0) return { text: '', missing: [...context.missing].sort() }
    throw error
  }
}

/** A tag that is well-formed by BCP 47 may still be unknown to `Intl`. */
function dateLocale(locale: string | null): string {
  try {
    return Intl.getCanonicalLocales(locale ?? [])[0] ?? 'en-US'
  } catch {
    return 'en-US'
  }
}

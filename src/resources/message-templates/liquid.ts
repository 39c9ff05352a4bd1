import { defaultOperators, ForTag, filters, Liquid, type Template } from 'liquidjs'
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
      throw new TemplateFault(`the tag "${name}" is not available`)
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
 * Parses a body.
 * @throws TemplateFault saying what is wrong with it, and where
 */
export function parseTemplate(body: string): Parsed {
  if ((body.match(/\{[{%]/g)?.length ?? 0) > maxNodes)
    throw new TemplateFault(`has more than ${maxNodes} tags and outputs`, 'too_long')
  try {
    const nodes = liquid.parse(body)
    return { nodes, variables: [...prepare(nodes)].sort() }
  } catch (error) {
    throw faultOf(error)
  }
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

/**
 * Renders a parsed body. It reaches nothing but the variables, and ends soon whatever the body says: all that it does
 * is counted.
 * @throws TemplateFault for what cannot be rendered
 */
export function renderParsed({ nodes }: Parsed, { variables, now, locale }: Scope): Rendered {
  const options = { ...liquid.options, locale: dateLocale(locale) }
  const context = new RenderContext(variables, now, options)
  const output = new Text(context)
  try {
    context.run(liquid.renderer.renderTemplates(nodes, context, output))
    return { text: output.finished(), missing: [...context.missing].sort() }
  } catch (error) {
    // What else goes wrong may come of the gaps.
    if (context.missing.size > 0) return { text: '', missing: [...context.missing].sort() }
    throw faultOf(error)
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

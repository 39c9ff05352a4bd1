import { ApiError } from '../../kernel/errors.ts'
import type { Route } from '../../resource/resource.ts'
import { CommaSeparated, Enum, Optional, Shape } from '../../resource/schema.ts'
import { limitOf, listParameters } from './pagination.ts'

/**
 * Parses the query string of a URL. A repeated parameter becomes a list, which few schemas accept.
 * @throws ApiError `bad_request` for invalid percent-encoding
 */
export function parseQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  const start = url.indexOf('?')
  if (start < 0) return query
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    const earlier = query[name]
    query[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ApiError('bad_request', {}, { detail: 'The query string has broken percent-encoding.' })
  }
}

const meaningsOf = ({ sorts = [], sortNotes = {} }: Route): string =>
  `${sorts.map((sort) => `\`${sort}\`: ${sortNotes[sort]}`).join('; ')}.`

/** `include` of a route with objects to include. */
function includeOf({ includes }: Route, ...others: string[]) {
  if (!includes) return {}
  const beside = `${includes.names.map((name) => `\`${name}\``).join(', ')} put the objects beside their ids, and need the scopes to read these`
  const total = others.includes('total') ? '; `total` adds the total count, up to 10,000' : ''
  const description = `What to add, comma-separated: ${beside}${total}.`
  return {
    include: Optional(
      CommaSeparated([...others, ...includes.names], { description, examples: [includes.names.join()] }),
    ),
  }
}

const sortOf = (route: Route) => ({
  sort: Optional(Enum(route.sorts as string[], { default: route.sorts![0], description: meaningsOf(route) })),
})

/** The query parameters of a route; a list adds those of every list to its filters. */
export function querySchema(route: Route) {
  if (route.kind === 'live') return Shape({ ...route.query?.properties, cursor: listParameters.cursor })
  if (route.kind !== 'list') return Shape({ ...route.query?.properties, ...includeOf(route) })
  return Shape({
    ...(route.fixedSort ? {} : sortOf(route)),
    ...listParameters,
    ...(route.defaultLimit === undefined ? {} : { limit: limitOf(route.defaultLimit) }),
    ...includeOf(route, 'total'),
    ...route.query?.properties, // a list may support more values than `total`
  })
}

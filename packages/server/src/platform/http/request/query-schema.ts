import type { Route } from '../../resource/resource.ts'
import { CommaSeparated, Enum, Optional, Shape } from '../../resource/schema.ts'
import { limitOf, listParameters } from './pagination.ts'

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

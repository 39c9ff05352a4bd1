import type { Route } from '../resource/resource.ts'
import { Enum, Optional, Shape } from '../resource/schema.ts'
import { listParameters } from './pagination.ts'

const meaningsOf = ({ sorts = [], sortNotes = {} }: Route): string =>
  `${sorts.map((sort) => `\`${sort}\`: ${sortNotes[sort]}`).join('; ')}.`

/** The query parameters of a route; a list adds those of every list to its filters. */
export function querySchema(route: Route) {
  if (route.kind === 'live') return Shape({ ...route.query?.properties, cursor: listParameters.cursor })
  if (route.kind !== 'list') return route.query ?? Shape({})
  return Shape({
    sort: Optional(
      Enum(route.sorts as string[], {
        default: route.sorts![0],
        description: meaningsOf(route),
      }),
    ),
    ...listParameters,
    ...route.query?.properties, // a list may support more values than `total`
  })
}

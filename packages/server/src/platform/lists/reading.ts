import { ApiError } from '../kernel/errors.ts'
import { requireScopes } from '../resource/scopes.ts'
import { type Filter, leavesOf, type Reading, readFilterText } from './filter.ts'

/**
 * The filter of the query parameter `filter`.
 * @throws ApiError `invalid_query` with all faults of it; `scope_missing`
 */
export function filterParameter(text: string, reading: Reading, allows: (scope: string) => boolean): Filter {
  const read = readFilterText(text, reading)
  if ('filter' in read) return requireReadable(read.filter, allows)
  const errors = read.faults.map((fault) => ({ parameter: 'filter', ...fault }))
  throw new ApiError('invalid_query', {}, { errors })
}

/** The scopes that a key needs for a filter, beside that of the objects: a filter tells what it compares. */
export const scopesOf = (filter: Filter): string[] => [
  ...new Set(leavesOf(filter).flatMap(({ of }) => of.scope ?? [])),
]

/** @throws ApiError `scope_missing` */
export function requireReadable(filter: Filter, allows: (scope: string) => boolean): Filter {
  requireScopes(allows, ...scopesOf(filter))
  return filter
}

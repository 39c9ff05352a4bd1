import { requireScopes } from '../resource/scopes.ts'
import { type Filter, leavesOf } from './tree.ts'

/** The scopes that a key needs for a filter, beside that of the objects: a filter tells what it compares. */
export const scopesOf = (filter: Filter): string[] => [
  ...new Set(leavesOf(filter).flatMap(({ of }) => of.scope ?? [])),
]

/** @throws ApiError `scope_missing` */
export function requireReadable(filter: Filter, allows: (scope: string) => boolean): Filter {
  requireScopes(allows, ...scopesOf(filter))
  return filter
}

import { ApiError } from '../kernel/errors.ts'
import { type Filter, leavesOf } from './tree.ts'

/** The scopes that a key needs for a filter, beside that of the objects: a filter tells what it compares. */
export const scopesOf = (filter: Filter): string[] => [
  ...new Set(leavesOf(filter).flatMap(({ of }) => of.scope ?? [])),
]

/** @throws ApiError `scope_missing` */
export function requireScopes(scopes: string[], allows: (scope: string) => boolean): void {
  const missing = scopes.find((scope) => !allows(scope))
  if (missing) throw new ApiError('scope_missing', { scope: missing })
}

/** @throws ApiError `scope_missing` */
export function requireReadable(filter: Filter, allows: (scope: string) => boolean): Filter {
  requireScopes(scopesOf(filter), allows)
  return filter
}

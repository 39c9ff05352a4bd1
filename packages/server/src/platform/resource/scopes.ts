import { ApiError } from '../kernel/errors.ts'

/** A family of scopes, and what a key may do with it. */
export type Scope = `${string}:${'read' | 'write'}`

/** `*` covers everything; `*:read` and `*:write` cover every family. Write access does not imply read access. */
export const covers = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has('*') || (scope !== '*' && held.has(`*:${scope.split(':')[1]}`))

/** @throws ApiError `scope_missing` with the first scope that is not allowed */
export function requireScopes(allows: (scope: string) => boolean, ...scopes: readonly string[]): void {
  const missing = scopes.find((scope) => !allows(scope))
  if (missing !== undefined) throw new ApiError('scope_missing', { scope: missing })
}

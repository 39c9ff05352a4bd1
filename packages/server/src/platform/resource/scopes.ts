/** A family of scopes, and what a key may do with it. */
export type Scope = `${string}:${'read' | 'write'}`

/** `*` covers everything; `*:read` and `*:write` cover every family. Write access does not imply read access. */
export const covers = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has('*') || (scope !== '*' && held.has(`*:${scope.split(':')[1]}`))

import { isDeepStrictEqual } from 'node:util'
import type { Resource, ResourceDeclaration, ScopeFamily } from '../platform/resource/resource.ts'
import { families } from '../support/vocabulary/scopes.generated.ts'

/** The content of `scopes.generated.ts`. Families keep the order in which the API lists them; new ones come last. */
export function familiesOf(
  resources: readonly Pick<ResourceDeclaration, 'scopes'>[],
): [string, ScopeFamily['roles']][] {
  const known = Object.keys(families)
  const placeOf = (family: string) => (known.includes(family) ? known.indexOf(family) : known.length)
  return resources
    .flatMap(({ scopes }) => (scopes ? [scopes] : []))
    .toSorted((one, other) => placeOf(one.family) - placeOf(other.family))
    .map(({ family, roles }) => [family, roles])
}

/** @throws Error if a route needs a scope of no family, or if the generated families are not the declared ones */
export function checkScopes(resources: readonly Resource[]): void {
  const declared = familiesOf(resources)
  const names = new Set(declared.map(([family]) => family))
  for (const { name, routes } of resources)
    for (const { scope } of routes)
      if (scope !== undefined && !names.has(scope.split(':')[0]!))
        throw new Error(`${name}: no resource has the family of ${scope} in its \`scopes\``)
  if (!isDeepStrictEqual(declared, Object.entries(families)))
    throw new Error('`scopes` of a resource has changed: run `npm run gen`')
}

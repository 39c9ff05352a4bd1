import type { Resource, ResourceDeclaration, ResourceLimits, Route } from '../platform/resource/resource.ts'
import { readDeclarations } from './declarations.ts'
import { checkScopes } from './scopes.ts'

/** Loads all resources. */
export async function loadResources(limits: ResourceLimits = {}): Promise<Resource[]> {
  const declared = await readDeclarations()
  const eventTypes = declared
    .flatMap(({ events }) => events)
    .toSorted((one, other) => (one.type < other.type ? -1 : 1))
  for (const resource of declared) checkEvents(resource)
  const eventAccess = new Map<string, { scopes: string[]; onlyFor: readonly string[] | null }>()
  const all = declared.map(({ routes, ...resource }) => ({
    ...resource,
    routes: typeof routes === 'function' ? routes(eventTypes, limits, eventAccess) : routes,
  }))
  checkScopes(all)
  for (const { events, eventsScope, eventsOnlyFor: onlyFor = null, routes } of all)
    for (const { type } of events) {
      const scopes = eventsScope ? [eventsScope] : scopesOfReading(routes)
      eventAccess.set(type.split('.')[0]!, { scopes, onlyFor })
    }
  checkPlaces(all)
  const documentedUnder = (name: string) =>
    all.flatMap(({ name: declaring, routes }) =>
      routes.filter((route) => (route.documentedUnder ?? declaring) === name && declaring !== name),
    )
  return all.map((resource) => ({
    ...resource,
    routes: [
      ...resource.routes.filter((route) => (route.documentedUnder ?? resource.name) === resource.name),
      ...documentedUnder(resource.name),
    ],
  }))
}

const scopesOfReading = (routes: Route[]): string[] => [
  ...new Set(routes.flatMap(({ scope }) => (scope?.endsWith(':read') ? [scope] : []))),
]

/** @throws Error if entities can have events that the resource does not declare, or the reverse */
function checkEvents({ name, entities, events }: ResourceDeclaration): void {
  if (!entities) return
  const [possible, declared] = [
    new Set(entities.flatMap((entity) => entity.events)),
    new Set(events.map(({ type }) => type)),
  ]
  const different = [...possible.symmetricDifference(declared)]
  if (different.length > 0)
    throw new Error(`${name} declares other events than its entities: ${different.join(', ')}`)
}

/** @throws Error if two resources have the same place on the reference page */
function checkPlaces(resources: Resource[]): void {
  const named = new Map<number, string>()
  for (const { name, group: { place } = {} } of resources) {
    if (place === undefined) continue
    const other = named.get(place)
    if (other) throw new Error(`${name} and ${other} have the same place ${place} in \`group\``)
    named.set(place, name)
  }
}

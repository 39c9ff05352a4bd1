import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource, ResourceDeclaration, ResourceLimits } from './resource.ts'

const folder = join(import.meta.dirname, 'resources')

/** Every folder in `resources/` is a resource; one without an `index.ts` refuses to start. */
export async function loadResources(limits: ResourceLimits = {}): Promise<Resource[]> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const declared = await Promise.all(
    names.map(async (name) => (await import(`./resources/${name}/index.ts`)).default as ResourceDeclaration),
  )
  const eventTypes = declared
    .flatMap(({ events }) => events)
    .toSorted((one, other) => (one.type < other.type ? -1 : 1))
  const all = declared.map(({ routes, ...resource }) => ({
    ...resource,
    routes: typeof routes === 'function' ? routes(eventTypes, limits) : routes,
  }))
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

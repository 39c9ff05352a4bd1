import type { Route } from '../../../platform/resource/resource.ts'

const methods: Route['method'][] = ['POST', 'GET', 'PATCH', 'PUT', 'DELETE']

/**
 * The routes of a resource as a reader meets them: for each collection the collection itself, create first, then one
 * object, then its actions and sub-resources.
 */
export function inReadersOrder(routes: Route[]): Route[] {
  const roots = routes.map(({ path }) => path).filter((path) => !path.includes('{'))
  const rootOf = (path: string) =>
    roots.filter((root) => path === root || path.startsWith(`${root}/`)).sort(byLength)[0] ?? path
  const collections = [...new Set(routes.map(({ path }) => rootOf(path)))]
  const keyOf = ({ path, method }: Route): number[] => [
    collections.indexOf(rootOf(path)),
    path === rootOf(path) ? 0 : path === `${rootOf(path)}/{id}` ? 1 : 2,
    routes.findIndex((route) => route.path === path),
    methods.indexOf(method),
  ]
  return routes.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
}

const byLength = (one: string, other: string): number => one.length - other.length

function compare(one: number[], other: number[]): number {
  const i = one.findIndex((value, place) => value !== other[place])
  return i === -1 ? 0 : one[i]! - other[i]!
}

import type { Route } from '@backline/server/platform/resource/resource.ts'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { Fixtures, madeWithoutRoutes } from './contract/fixtures.ts'
import type { Material } from './fuzz-requests.ts'
import type { Client, Service } from './harness.ts'

/** The routes that take a secret key. */
export const secretKeyRoutes = ({ resources }: Service): Route[] =>
  resources.flatMap(({ routes }) => routes).filter(({ scope }) => scope !== undefined)

type Ids = Map<string, Set<string>>

/** Creates a tenant with some objects of every kind, and another one, and collects their ids, keys and cursors. */
export async function gatherMaterial(backline: Service): Promise<Material> {
  const routes = secretKeyRoutes(backline)
  const world = await backline.world()
  const other = await backline.world()
  const weak = await world.withScopes('workspace:read')
  // Excludes the ids of the keys that the test itself uses, or it would revoke them.
  const spared = new Set(await idsIn(world.test, '/v1/api_keys'))
  const own = await populate(routes, backline, world.test)
  const foreign = await populate(routes, backline, other.test)
  return {
    ids: {
      own: await collectIds(routes, world.test, spared, own),
      foreign: await collectIds(routes, other.test, new Set(), foreign),
    },
    keys: {
      full: world.test.key,
      foreign: other.test.key,
      weak: weak.key,
      mistyped: world.test.key.slice(0, -1) + (world.test.key.endsWith('a') ? 'b' : 'a'),
      unknown: newKeySecret('test'),
    },
    cursors: [...(await collectCursors(routes, world.test)), ...(await collectCursors(routes, other.test))],
  }
}

/** Creates a few objects of every kind, some of them in rare states. @returns their ids */
async function populate(routes: Route[], backline: Service, client: Client): Promise<string[]> {
  const made: string[] = []
  const fixtures = new Fixtures(backline, client)
  const creates = routes.filter((route) => route.method === 'POST' && route.location)
  for (const route of creates) {
    for (let i = 0; i < 6; i++) {
      const { body } = await fixtures.run(await fixtures.call(route))
      if (typeof body?.id === 'string') made.push(body.id)
    }
  }
  for (const prefix of madeWithoutRoutes) for (let i = 0; i < 6; i++) made.push(await fixtures.create(prefix))
  for (const action of ['resolve', 'close'])
    await client.post(`/v1/conversations/${await fixtures.create('conv')}/${action}`)
  return made
}

/** Collects ids by prefix, from all lists, and from what was made of kinds that no list shows. */
async function collectIds(
  routes: Route[],
  client: Client,
  spared: Set<string>,
  made: string[],
): Promise<Map<string, string[]>> {
  const ids: Ids = new Map()
  // Lists without a parameter come first: they return the ids that the others need.
  const lists = routes.filter((route) => route.kind === 'list')
  for (const route of lists.sort(
    (a, b) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length,
  )) {
    for (const path of pathsOf(route, ids)) {
      for (const id of await idsIn(client, path)) {
        const prefix = id.slice(0, id.indexOf('_'))
        if (!spared.has(id)) ids.set(prefix, (ids.get(prefix) ?? new Set()).add(id))
      }
    }
  }
  const listed = new Set(ids.keys())
  for (const id of made) {
    const prefix = id.slice(0, id.indexOf('_'))
    if (!listed.has(prefix)) ids.set(prefix, (ids.get(prefix) ?? new Set()).add(id))
  }
  return new Map([...ids].map(([prefix, set]) => [prefix, [...set]]))
}

/** The concrete paths of a route, with the first few ids for its parameter. */
function pathsOf(route: Route, ids: ReadonlyMap<string, Iterable<string>>): string[] {
  const path = `/v1${route.path}`
  const prefixes = Object.values(route.params ?? {})
  if (prefixes.length === 0) return [path]
  const first = [...(ids.get(prefixes[0]!) ?? [])].slice(0, 4)
  return prefixes.length > 1 ? [] : first.map((id) => path.replace(/\{\w+\}/, id))
}

async function idsIn(client: Client, path: string): Promise<string[]> {
  const { status, body } = await client.get(path)
  if (status === 422) return [] // of an operator, for whom this client does not act
  return (body.data as { id?: unknown }[]).map(({ id }) => id).filter((id) => typeof id === 'string')
}

async function collectCursors(routes: Route[], client: Client): Promise<string[]> {
  const cursors: string[] = []
  for (const route of routes.filter((each) => each.kind === 'list' && !each.params)) {
    for (const sort of route.sorts!) {
      const { body } = await client.get(`/v1${route.path}?limit=1&sort=${sort}`)
      if (body.next_cursor) cursors.push(body.next_cursor)
    }
  }
  return cursors
}

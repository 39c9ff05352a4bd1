import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { loadResources } from '@backline/server/compose/resources.ts'
import { newUuid, typeId } from '@backline/server/platform/kernel/ids.ts'
import type { RouteFixtures } from '@backline/server/platform/resource/fixtures.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { repository } from '../processes.ts'
import { describe, type Request, type Sent, send } from './http.ts'
import { bodySchema, isMap } from './schemas.ts'

/*
 * Existing objects and valid requests for any route, made by following the declarations: an object of prefix X comes from
 * the POST whose example shows an id of prefix X; ids inside a `bodyExample` are replaced by ids of existing objects. Facts
 * that declarations cannot say are in the `fixtures.ts` of each resource. A failure says what to add.
 */

const support = join(repository, 'packages/server/src/support')
const declared: RouteFixtures[] = await Promise.all(
  globSync('*/*/fixtures.ts', { cwd: support }).map(
    async (file) => ((await import(join(support, file))) as { fixtures: RouteFixtures }).fixtures,
  ),
)
const merged = <Value>(records: (Record<string, Value> | undefined)[]): Record<string, Value> =>
  Object.assign({}, ...records)
const preparations = merged(declared.map((each) => each.preparations))
const fillers = merged(declared.map((each) => each.fillers))
export const byproducts = merged(declared.map((each) => each.byproducts))
export const eventless = new Set(declared.flatMap((each) => each.eventless ?? []))
export const answersAnother = new Set(declared.flatMap((each) => each.answersAnother ?? []))

export const resources = await loadResources()

/** Fields that get another value in every request: they are unique, or make the request a change. */
const variedFields = new Set([
  ...resources.flatMap(({ entities = [] }) => entities.flatMap(({ unique = {} }) => Object.keys(unique))),
  ...['name', 'slug', 'title', 'question', 'subject', 'body'],
])

export const routes: Route[] = resources.flatMap((resource) => resource.routes)
export const readRoutes = routes.filter((route) => route.kind === 'read')
export const listRoutes = routes.filter((route) => route.kind === 'list')
export const writeRoutes = routes.filter((route) => route.kind === 'write')

assert.ok(readRoutes.length > 0 && listRoutes.length > 0 && writeRoutes.length > 0, 'There are routes')

/** How tests name a route. */
export const titleOf = (route: Route) => `${route.method} /v1${route.path}`

const table = "in the resource's fixtures.ts"

function routeNamed(name: string): Route {
  const route = routes.find((each) => each.name === name)
  assert.ok(route, `${table} names a route ${name} that does not exist`)
  return route
}

/** The ids that stand for a route's path parameters, by their name. */
export type Ids = Record<string, string>

export const pathOf = (route: Route, ids: Ids): string =>
  `/v1${route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)}`

/** A well-formed id that no object has. */
export const vacantId = (prefix: string): string => typeId(prefix, newUuid(Date.now()))

export const vacantIds = (route: Route): Ids =>
  Object.fromEntries(Object.entries(route.params ?? {}).map(([name, prefix]) => [name, vacantId(prefix)]))

/** The TypeID prefix of what a route shows; undefined when that has no id. */
export const prefixOfReply = (route: Route): string | undefined =>
  /^([a-z]+)_/.exec(String((route.reply?.example as { id?: unknown } | undefined)?.id))?.[1]

/** The route that creates objects of a prefix; of several, the one with the fewest path parameters. */
export function creatorOf(prefix: string): Route {
  const [creator] = creatorsOf(prefix)
  assert.ok(
    creator,
    `No POST route with a \`location\` shows an id of ${prefix}_: or add a byproduct ${table}`,
  )
  return creator
}

/** No route creates events: they come about with everything else. */
export const creatorsOf = (prefix: string): Route[] =>
  writeRoutes
    .filter((route) => route.method === 'POST' && route.location && prefixOfReply(route) === prefix)
    .sort((a, b) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)

/** The route that shows a single resource by its id alone, or a singleton such as the workspace. */
export const getterOf = (type: string): Route | undefined =>
  readRoutes.find(
    (route) =>
      (route.reply!.example as { object?: string }).object === type &&
      (Object.keys(route.params ?? {}).length === 0
        ? !/\{/.test(route.path)
        : Object.values(route.params!).join() === prefixOfReply(route)),
  )

/** A request that is about to succeed, and what it was made of. */
export type Call = { route: Route; ids: Ids; request: Request }

let counter = 0

/** Makes objects and requests in the environment of one API key. */
export class Fixtures {
  readonly server: { url: string }
  readonly key: string

  constructor(server: { url: string }, client: { key: string }) {
    this.server = server
    this.key = client.key
  }

  /** Carries out a call that has to succeed. */
  async run(call: Call): Promise<Sent> {
    const answer = await send(this.server, call.request)
    const hint = `It should be ${call.route.status}. If ${call.route.name} needs a particular state, add it to preparations ${table}; on 409 already_exists, declare the field in \`unique\` of the entity`
    assert.equal(answer.status, call.route.status, `${describe(answer)}\n${hint}`)
    return answer
  }

  /** A new object of this prefix; its id. */
  async create(prefix: string): Promise<string> {
    const list = byproducts[prefix]
    if (list) {
      await this.create('tag')
      return (await send(this.server, { method: 'GET', path: list, key: this.key })).body.data[0].id
    }
    const answer = await this.run(await this.call(creatorOf(prefix)))
    return answer.body.id
  }

  /** A request of this route that will succeed: new objects in its path (but for `given`), in the state it needs. */
  async call(route: Route, given: Ids = {}): Promise<Call> {
    const ids: Ids = {}
    for (const [name, prefix] of Object.entries(route.params ?? {}))
      ids[name] = given[name] ?? (await this.create(prefix))
    const { after = [], headers = {} } = preparations[route.name] ?? {}
    for (const name of after) await this.perform(routeNamed(name), route, ids)
    const sent: Record<string, string> = {}
    for (const [name, prefix] of Object.entries(headers)) sent[name] = await this.create(prefix)
    const path = pathOf(route, ids)
    const body = await this.body(route)
    return { route, ids, request: { method: route.method, path, key: this.key, headers: sent, body } }
  }

  /** Calls a route on the objects that are in the path of another one: those whose ids have the same prefix. */
  async perform(route: Route, other: Route, ids: Ids): Promise<Sent> {
    const shared: Ids = {}
    for (const [name, prefix] of Object.entries(route.params ?? {})) {
      const [same] = Object.entries(other.params ?? {}).find(([, each]) => each === prefix) ?? []
      if (same) shared[name] = ids[same]!
    }
    return this.run(await this.call(route, shared))
  }

  /** A valid body, made of the route's example; undefined for a route without one. */
  async body(route: Route): Promise<unknown> {
    if (!route.body) return undefined
    assert.ok(route.bodyExample, `${route.name} declares a body and needs a \`bodyExample\``)
    const body = (await this.#withExistingIds(route.bodyExample)) as Record<string, unknown>
    for (const field of variedFields) {
      if (typeof body[field] === 'string') body[field] = `n${++counter}x${body[field]}`
    }
    // More than one member, in an order that neither the alphabet nor their length gives.
    if (isMap(bodySchema(route).properties?.metadata))
      body.metadata = { zebra: 'z', ...(body.metadata as object), ape: 'a' }
    return body
  }

  async #withExistingIds(value: unknown): Promise<unknown> {
    if (typeof value === 'string') {
      const prefix = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(value)?.[1]
      return prefix ? this.create(prefix) : value
    }
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#withExistingIds(item)))
    if (value === null || typeof value !== 'object') return value
    const members = Object.entries(value).map(async ([name, member]) => [
      name,
      await this.#withExistingIds(member),
    ])
    return Object.fromEntries(await Promise.all(members))
  }

  /** A list, and a way to add an item to it; `add` is null when clients cannot. */
  async list(route: Route): Promise<{ path: string; add: (() => Promise<Sent>) | null }> {
    const { ids } = await this.call(route)
    const own = writeRoutes.find(
      (each) => each.method === 'POST' && each.path === route.path && each.location,
    )
    const name = own?.name ?? fillers[route.name]
    assert.ok(name !== undefined, `What adds an item to ${route.name}? Add it to fillers ${table}`)
    const add = name === null ? null : () => this.perform(routeNamed(name), route, ids)
    return { path: pathOf(route, ids), add }
  }
}

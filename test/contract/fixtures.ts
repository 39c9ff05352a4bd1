import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { loadResources } from '@backline/server/compose/resources.ts'
import { newUuid, typeId } from '@backline/server/platform/kernel/ids.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import type { Scope } from '@backline/server/platform/resource/scopes.ts'
import type { Service } from '../harness.ts'
import { repository, until } from '../processes.ts'
import { newConsoleSession, newErasure, newNotification, within } from './console.ts'
import { describe, operatorOf, type Request, type Sent, send } from './http.ts'
import type { RouteFixtures } from './route-fixtures.ts'
import { bodySchema, isMap, querySchemaOf, type Schema } from './schemas.ts'

/*
 * Existing objects and valid requests for any route, made by following the declarations: an object of prefix X comes from
 * the POST whose example shows an id of prefix X; ids inside a `bodyExample` are replaced by ids of existing objects. Facts
 * that declarations cannot say are in the `*.test-fixtures.ts` of each resource. A failure says what to add.
 */

const support = join(repository, 'packages/server/src/support')
let counter = 0

const declared: RouteFixtures[] = await Promise.all(
  globSync('**/*.test-fixtures.ts', { cwd: support }).map(
    async (file) => ((await import(join(support, file))) as { fixtures: RouteFixtures }).fixtures,
  ),
)
const merged = <Value>(records: (Record<string, Value> | undefined)[]): Record<string, Value> =>
  Object.assign({}, ...records)
const preparations = merged(declared.map((each) => each.preparations))
const fillers = merged(declared.map((each) => each.fillers))
const ofOthers = merged(declared.map((each) => each.ofOthers))
export const byproducts = merged(declared.map((each) => each.byproducts))
export const eventless = new Set(declared.flatMap((each) => each.eventless ?? []))
const fleeting = new Set(declared.flatMap((each) => each.fleeting ?? []))
export const answersAnother = new Set(declared.flatMap((each) => each.answersAnother ?? []))

export const resources = await loadResources()

/** Fields that get another value in every request: they are unique, or make the request a change. */
const variedFields = new Set([
  ...resources.flatMap(({ entities = [] }) => entities.flatMap(({ unique = {} }) => Object.keys(unique))),
  ...['name', 'slug', 'title', 'question', 'subject', 'body'],
])

/** A route that takes a secret key. */
export type ScopedRoute = Route & { scope: Scope }

export const allRoutes: Route[] = resources.flatMap((resource) => resource.routes)
/** The routes that take a secret key; credentials.test.ts covers the others. */
export const routes: ScopedRoute[] = allRoutes.filter(
  (route): route is ScopedRoute => route.scope !== undefined,
)
export const readRoutes = routes.filter((route) => route.kind === 'read')
export const listRoutes = routes.filter((route) => route.kind === 'list')
/** Ids in bodies that no request refuses: the results of the job tell whether there is such an object. */
export const toldByResults: readonly string[] = ['startBulk /selection/ids/0']

/** Lists that have items. */
export const filledLists = listRoutes.filter(
  ({ name }) => !declared.some(({ madeByWork = [] }) => madeByWork.includes(name)),
)
/** Those whose items stay until they are removed. */
export const lastingLists = filledLists.filter(
  ({ name }) => !fleeting.has(name) && !declared.some(({ beyondPage = [] }) => beyondPage.includes(name)),
)
export const writeRoutes = routes.filter((route) => route.kind === 'write')
/** Those whose body is JSON. */
export const jsonRoutes = writeRoutes.filter((route) => !route.bytes)

assert.ok(readRoutes.length > 0 && listRoutes.length > 0 && writeRoutes.length > 0, 'There are routes')

/** The query parameters of a route, without those that it does not take for the objects of the calls. */
export const parametersOf = (route: Route): [string, Schema][] =>
  Object.entries(querySchemaOf(route).properties!).filter(([name]) => !ofOthers[route.name]?.includes(name))

/** Routes that apply only to objects that are created in a special way. */
export const needsSpecialObjects = ({ name }: Route) => preparations[name]?.with !== undefined

/** How tests name a route. */
export const titleOf = (route: Route) => `${route.method} /v1${route.path}`

const table = "in the resource's test-fixtures.ts"

function routeNamed(name: string): Route {
  const route = routes.find((each) => each.name === name)
  assert.ok(route, `${table} names a route ${name} that does not exist`)
  return route
}

/** The ids and texts that stand for a route's path parameters, by their name. */
export type Ids = Record<string, string>

export const pathOf = (route: Route, ids: Ids): string =>
  `/v1${route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!))}`

/** A well-formed id that no object has. */
export const vacantId = (prefix: string): string => typeId(prefix, newUuid(Date.now()))

export const vacantIds = (route: Route): Ids => ({
  ...Object.fromEntries(Object.entries(route.params ?? {}).map(([name, prefix]) => [name, vacantId(prefix)])),
  ...Object.fromEntries(textsOf(route).map((name) => [name, newText()])),
})

const textsOf = (route: Route) => Object.keys(route.texts?.properties ?? {})

/** A text that needs percent-encoding and that nothing has. */
const newText = () => `né/w ${++counter}`

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

/** The prefix of certificates of erasures, which only a job creates. */
const erasuresPrefix = 'era'

/** The prefix of console sessions, which only a sign-in creates. */
const sessionsPrefix = 'cse'

/** The prefix of notifications, which the journal leads to. */
const notificationsPrefix = 'ntf'

/** The prefixes of objects that the fixtures make without a route. */
export const madeWithoutRoutes: ReadonlySet<string> = new Set([
  sessionsPrefix,
  erasuresPrefix,
  notificationsPrefix,
])

type Server = { url: string; now?(): number } & Partial<Pick<Service, 'db' | 'context'>>

/** A request that is about to succeed, and what it was made of. */
export type Call = { route: Route; ids: Ids; request: Request }

/** Makes objects and requests in the environment of one API key. */
export class Fixtures {
  readonly server: Server
  readonly key: string

  constructor(server: Server, client: { key: string }) {
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
  async create(prefix: string, members: Record<string, unknown> = {}, upload?: string): Promise<string> {
    if (prefix === sessionsPrefix) return newConsoleSession(this.server, this.key, await this.create('op'))
    if (prefix === notificationsPrefix)
      return newNotification(
        this.server,
        this.key,
        String(members.operator_id ?? (await this.operator())),
        await this.create('conv'),
      )
    if (prefix === erasuresPrefix) return newErasure(this.server, this.key, await this.create('eu'))
    const list = byproducts[prefix]
    if (list) {
      await this.create('tag')
      return until(`there is one of ${list}`, async () => {
        const { body } = await send(this.server, { method: 'GET', path: list, key: this.key })
        return body.data[0]?.id
      })
    }
    const call = await this.call(creatorOf(prefix))
    const { body } = call.request
    const whole = typeof body === 'string' ? body : { ...(body as object), ...members }
    const answer = await this.run({ ...call, request: { ...call.request, body: whole } })
    if (upload !== undefined) await this.#send(answer.body.upload, upload)
    return answer.body.id
  }

  /** The operator for whom requests act that must act for one. */
  async operator(): Promise<string> {
    const id = await operatorOf(this.server, this.key)
    assert.ok(id)
    return id
  }

  /**
   * A request of this route that will succeed: new objects in its path (but for `given`), in the state it needs.
   * @param named ids by their prefix, for a body that names these objects
   */
  async call(route: Route, given: Ids = {}, named: Ids = {}): Promise<Call> {
    const ids: Ids = {}
    const {
      after = [],
      headers = {},
      with: members = {},
      uploads = {},
      inBody = {},
      prepare,
    } = preparations[route.name] ?? {}
    const create = (prefix: string) =>
      this.create(prefix, members[prefix]?.(this.server.now?.() ?? Date.now()), uploads[prefix])
    for (const [name, prefix] of Object.entries(route.params ?? {}))
      ids[name] = given[name] ?? (await create(prefix))
    for (const name of textsOf(route)) ids[name] = given[name] ?? newText()
    for (const name of after) await this.perform(routeNamed(name), route, ids)
    const sent: Record<string, string> = {}
    if (route.needsPerson) sent['backline-operator'] = await this.operator()
    for (const [name, prefix] of Object.entries(headers)) sent[name] = await this.create(prefix)
    const path = pathOf(route, ids)
    const prepared: Ids = {}
    for (const [prefix, name] of Object.entries(inBody)) {
      const id = await create(prefix)
      await this.run(await this.call(routeNamed(name), { id }))
      prepared[prefix] = id
    }
    if (prepare) {
      const { environment, contextOf } = await within(this.server, this.key)
      await prepare(contextOf(environment), ids)
    }
    if (route.bytes) sent['content-type'] = route.bytes.mediaType
    const body = await this.body(route, { ...prepared, ...named })
    return { route, ids, request: { method: route.method, path, key: this.key, headers: sent, body } }
  }

  /** Sends a text to the URL of an upload, at the address of the server of the test. */
  async #send(
    { url, headers }: { url: string; headers: Record<string, string> },
    text: string,
  ): Promise<void> {
    const { status } = await fetch(this.server.url + new URL(url).pathname, {
      method: 'PUT',
      headers,
      body: text,
    })
    assert.equal(status, 200)
  }

  /**
   * Calls a route on the objects that are in the path of another one: those whose ids have the same prefix. A route
   * without objects in its path names them in its body.
   */
  async perform(route: Route, other: Route, ids: Ids): Promise<Sent> {
    const shared: Ids = {}
    for (const [name, prefix] of Object.entries(route.params ?? {})) {
      const [same] = Object.entries(other.params ?? {}).find(([, each]) => each === prefix) ?? []
      if (same) shared[name] = ids[same]!
    }
    const named = Object.entries(other.params ?? {}).map(([name, prefix]) => [prefix, ids[name]!])
    return this.run(await this.call(route, shared, route.params ? {} : Object.fromEntries(named)))
  }

  /** A valid body, made of the route's example; undefined for a route without one. */
  async body(route: Route, named: Ids = {}): Promise<unknown> {
    if (route.bytes) return route.bytes.example.replace(/<(?=\S+>\r\nDate)/, `<n${++counter}x`)
    if (!route.body) return undefined
    assert.ok(route.bodyExample, `${route.name} declares a body and needs a \`bodyExample\``)
    const body = (await this.#withExistingIds(route.bodyExample, named)) as Record<string, unknown>
    for (const field of variedFields) {
      const value = body[field]
      const varied = (text: unknown) => (typeof text === 'string' ? `n${++counter}x${text}` : text)
      if (typeof value === 'string') body[field] = varied(value)
      if (Array.isArray(value)) body[field] = value.map(varied)
    }
    // More than one member, in an order that neither the alphabet nor their length gives.
    if (isMap(bodySchema(route).properties?.metadata))
      body.metadata = { zebra: 'z', ...(body.metadata as object), ape: 'a' }
    return body
  }

  async #withExistingIds(value: unknown, named: Ids): Promise<unknown> {
    if (typeof value === 'string') {
      const prefix = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(value)?.[1]
      return prefix ? (named[prefix] ?? this.create(prefix)) : value
    }
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#withExistingIds(item, named)))
    if (value === null || typeof value !== 'object') return value
    const members = Object.entries(value).map(async ([name, member]) => [
      name,
      await this.#withExistingIds(member, named),
    ])
    return Object.fromEntries(await Promise.all(members))
  }

  /** A list, and a way to add an item to it; `add` is null when clients cannot. */
  async list(route: Route): Promise<{ path: string; add: (() => Promise<Pick<Sent, 'body'>>) | null }> {
    const { ids } = await this.call(route)
    const prefix = prefixOfReply(route)
    if (prefix !== undefined && madeWithoutRoutes.has(prefix)) {
      const add = async () => ({ body: { id: await this.create(prefix) } })
      return { path: pathOf(route, ids), add }
    }
    const own = writeRoutes.find(
      (each) => each.method === 'POST' && each.path === route.path && each.location,
    )
    const name = own?.name ?? fillers[route.name]
    assert.ok(name !== undefined, `What adds an item to ${route.name}? Add it to fillers ${table}`)
    if (name === null) return { path: pathOf(route, ids), add: null }
    const filler = routeNamed(name)
    const search = () => `${pathOf(filler, ids)}?q=word+${++counter}+more`
    const add = () =>
      filler.kind === 'list'
        ? send(this.server, { method: 'GET', path: search(), key: this.key })
        : this.perform(filler, route, ids)
    return { path: pathOf(route, ids), add }
  }
}

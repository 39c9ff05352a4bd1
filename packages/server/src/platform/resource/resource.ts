import type { Instant } from '../kernel/clock.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { Page, SortKey } from '../kernel/page.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Entities, Entity, Reaction, ResourceRow } from '../unit-of-work/entity.ts'
import type { Members, TObject } from './schema.ts'
import type { Scope } from './scopes.ts'
import type { Wire } from './wire.ts'

/*
 * The shape that every resource fills in. An endpoint is one declaration, made by one of seven functions: `read`,
 * `list`, `feed`, `stream` and `live` are given a context to read with, `write` and `remove` a Change, the only way to write.
 * Each refuses to compile without a scope.
 */

type Common = {
  /** Below `/v1`; `{id}` stands for a parameter whose TypeID prefix `params` names. */
  path: string
  /** Becomes the `operationId`: a verb and a noun. */
  name: string
  summary: string
  description?: string
  scope: Scope
  /** The resource under which it is documented, when that is another than the one that declares it. */
  documentedUnder?: string
  /** TypeID prefix of each path parameter. A handler gets the UUID inside. */
  params?: Record<string, string>
  /** Does it exist in test environments alone? A live key gets 404. */
  testOnly?: boolean
  /** What this route can refuse beyond what every route of its kind can. */
  errors?: ErrorCode[]
}

type Input<Query extends TObject, Body extends TObject> = {
  /** The UUIDs of the path's ids. */
  params: { id: string } & Record<string, string>
  query: Members<Query>
  body: Members<Body>
}

export type Route = Common & {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  kind: 'read' | 'list' | 'write' | 'stream' | 'live'
  status: number
  query?: TObject
  body?: TObject
  bodyExample?: unknown
  replyExample?: unknown
  /** May the body be left out as a whole? */
  bodyOptional?: boolean
  /** Of writes that come in great numbers: those of one environment that come at the same time share a commit. */
  sharesCommits?: boolean
  reply: Wire<never> | null
  /** The reply without its secret, as it is stored; only for replies that show one. */
  storedReply?: Wire<never>
  /** Where a created object is found: a path below `/v1`. */
  location?: (row: never) => string
  /** The version whose ETag the response carries; null when the response is no single versioned resource. */
  versionOf: ((row: never) => number) | null
  sorts?: readonly string[]
  /** Of a list: the last page has a cursor as well, to come back with. */
  endless?: boolean
  /** Of a stream, live or not. */
  mediaType?: string
  /** Of a live stream: the list whose cursors say where to go on. */
  cursorsOf?: { path: string; sort: string }
  handle: (...args: never[]) => unknown
}

type None = TObject<Record<never, never>>

const versionOfRow = (row: { version: number }) => row.version

/** GET of one thing. Null from the handler is 404. */
export const read = <Row extends object, Query extends TObject = None>(
  route: Common & {
    query?: Query
    reply: Wire<Row>
    /** False when the reply has no version of its own. */
    versioned?: boolean
    handle(ctx: Ctx, input: Input<Query, None>): Promise<Row | null>
  },
): Route => ({
  ...route,
  method: 'GET',
  kind: 'read',
  status: 200,
  versionOf: route.versioned === false ? null : (versionOfRow as Route['versionOf']),
})

/** GET of a list, page by page. */
export const list = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    /** The filters. */
    query?: Query
    item: Wire<Row>
    /** The first is the default. */
    sorts: readonly [Sort, ...Sort[]]
    /** What a row is ordered by, its unique tie-breaker last. */
    sortKey(row: Row, sort: Sort): SortKey
    /** A stretch is answered where nothing more was found in the time that a page may take, and there may be more. */
    handle(ctx: Ctx, input: Input<Query, None> & { page: Page<Sort> }): Promise<Row[] | Stretch<Row>>
    /** Counts the whole list, at most up to `atMost`. */
    count(ctx: Ctx, input: Input<Query, None>, atMost: number): Promise<number>
  },
): ListRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'list',
    status: 200,
    reply: route.item,
    versionOf: null,
  }) as unknown as ListRoute

/** A part of a list, however far that goes: what was found, whether there is more, and from where to go on, if there is. */
export type Stretch<Row> = { rows: Row[]; hasMore: boolean; reached: SortKey | null }

/** GET of a list that goes on: whoever comes back with the last cursor is given what has been added since. */
export const feed = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    query?: Query
    item: Wire<Row>
    sorts: readonly [Sort, ...Sort[]]
    handle(ctx: Ctx, input: Input<Query, None> & { page: Page<Sort> }): Promise<Stretch<Row>>
    count(ctx: Ctx, input: Input<Query, None>, atMost: number): Promise<number>
  },
): ListRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'list',
    status: 200,
    reply: route.item,
    versionOf: null,
    endless: true,
  }) as unknown as ListRoute

/** GET of a text that is sent piece by piece, as fast as it is read. What `handle` throws before the first piece is answered as an error. */
export const stream = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    mediaType: string
    /** What it tells of, and how a piece of it looks: for the documentation. */
    piece: Wire<never>
    replyExample: string
    /** @param signal aborted when nobody reads any more */
    handle(ctx: Ctx, input: Input<Query, None>, signal: AbortSignal): AsyncIterable<string>
  },
): StreamRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'stream',
    status: 200,
    reply: route.piece,
    versionOf: null,
  }) as unknown as StreamRoute

export type StreamRoute = Route & {
  kind: 'stream'
  mediaType: string
  handle(ctx: Ctx, input: unknown, signal: AbortSignal): AsyncIterable<string>
}

/** Where a live stream begins. */
export type Resuming = {
  /** Where a cursor says to go on, if the client has one. */
  after: SortKey | null
  /** The cursor of a place in the list that `cursorsOf` names. */
  cursorAt(key: SortKey): string
}

/** The client of a live stream. */
export type Reader = {
  /** Sends a text. False: the client is slower, and nothing more is sent until `resume` is called. */
  send(text: string): boolean
  /** Ends the connection. */
  end(): void
}

/** What a live stream sends, from the moment that `start` is called. */
export type Live = {
  start(): void
  /** The client has taken what was sent. */
  resume(): void
  /** Called every second. @param nowMs of the monotonic clock */
  tick(nowMs: number): void
  /** The client has gone. */
  close(): void
}

/** GET of Server-Sent Events, without an end. What `handle` throws is answered as an error. */
export const live = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    piece: Wire<never>
    replyExample: string
    /** The list whose cursors say where to go on. */
    cursorsOf: { path: string; sort: string }
    handle(ctx: Ctx, input: Input<Query, None>, resuming: Resuming, reader: Reader): Promise<Live>
  },
): LiveRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'live',
    mediaType: 'text/event-stream',
    status: 200,
    reply: route.piece,
    versionOf: null,
  }) as unknown as LiveRoute

export type LiveRoute = Route & {
  kind: 'live'
  mediaType: string
  cursorsOf: { path: string; sort: string }
  handle(ctx: Ctx, input: unknown, resuming: Resuming, reader: Reader): Promise<Live>
}

export type ListRoute = Route & {
  kind: 'list'
  sorts: readonly string[]
  sortKey(row: object, sort: string): SortKey
  handle(ctx: Ctx, input: unknown): Promise<object[] | Stretch<object>>
  count(ctx: Ctx, input: unknown, atMost: number): Promise<number>
}

/** A POST, PATCH or PUT. The handler is given a Change and may run more than once. */
export const write = <Row extends object, Query extends TObject = None, Body extends TObject = None>(
  route: Common & {
    method: 'POST' | 'PATCH' | 'PUT'
    status?: 200 | 201 | 202
    query?: Query
    body?: Body
    bodyExample?: unknown
    /** What the example request leads to, where that is not the reply's own example. */
    replyExample?: unknown
    bodyOptional?: boolean
    sharesCommits?: boolean
    reply: Wire<Row>
    storedReply?: Wire<Row>
    location?(row: Row): string
    versionOf?: ((row: Row) => number) | null
    handle(change: Change, input: Input<Query, Body>): Promise<Row> | Row
  },
): Route => ({
  ...route,
  kind: 'write',
  status: route.status ?? 200,
  versionOf: (route.versionOf === undefined ? versionOfRow : route.versionOf) as Route['versionOf'],
})

/** A DELETE: 204 and no body. */
export const remove = (
  route: Common & { handle(change: Change, input: Input<None, None>): Promise<void> },
): Route => ({ ...route, method: 'DELETE', kind: 'write', status: 204, reply: null, versionOf: null })

/** One type of event that a resource puts into the journal. */
export type EventType = {
  type: string
  description: string
  /** The object that it is about, as it is then. */
  example: Record<string, unknown>
  /** What of that was different before. */
  previous?: Record<string, unknown>
}

/**
 * Work that is done by itself when its time has come. Whoever makes the appointment calls `change.jobs.schedule(name,
 * subject, time)`; `perform` then does the work as a handler does, by its Change, which also removes the appointment.
 */
export type Job = {
  name: string
  /** What its subjects are: those of a batch are then read together. Not for work that mostly ends a batch. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  subjects?: Entity<any>
  perform(change: Change, subjectId: string, dueAt: Instant): Promise<unknown> | unknown
}

/** What a resource does when a row is written, its own or that of another resource; in the same change. */
export type Subscription = {
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  to: Entity<any>
  react: Reaction
}

/** Ties a reaction to its entity, so that its rows have their type. */
export const on = <Row extends ResourceRow>(
  entity: Entity<Row>,
  react: (change: Change, before: Row | null, after: Row | null) => Promise<void> | void,
): Subscription => ({ to: entity, react: react as Reaction })

export type Resource = {
  /** The folder, and the tag in the OpenAPI document. */
  name: string
  /** Of the tag; none when all routes are documented under other resources. */
  title?: string
  description?: string
  routes: Route[]
  events: EventType[]
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  entities?: Entity<any>[]
  reactions?: Subscription[]
  jobs?: Job[]
}

/** What changes ask of all resources together. The reactions of a row's own resource come first. */
export function entitiesOf(resources: Pick<Resource, 'entities' | 'reactions'>[]): Entities {
  const entities = new Map(resources.flatMap((each) => each.entities ?? []).map((each) => [each.type, each]))
  const isOwn = ({ entities }: Pick<Resource, 'entities'>, { to }: Subscription) =>
    entities?.includes(to) ?? false
  const all = resources.flatMap((each) =>
    (each.reactions ?? []).map((one) => ({ ...one, own: isOwn(each, one) })),
  )
  const subscriptions = [...all.filter(({ own }) => own), ...all.filter(({ own }) => !own)]
  const reactions = Map.groupBy(subscriptions, ({ to }) => to.type)
  const none: Reaction[] = []
  const byType = new Map([...reactions].map(([type, all]) => [type, all.map(({ react }) => react)]))
  return {
    of: (type) => entities.get(type),
    reactionsTo: (type) => byType.get(type) ?? none,
  }
}

/** Limits that tests set; without one, a route has its own. */
export type ResourceLimits = {
  /** How long a verification of the audit log may take. */
  verifyWithinMs?: number
}

/**
 * A resource whose routes speak of all events is given them when every resource is there. Routes that are made by a
 * function may keep state: it is that of one process.
 */
export type ResourceDeclaration = Omit<Resource, 'routes'> & {
  routes: Route[] | ((eventTypes: EventType[], limits: ResourceLimits) => Route[])
}

export const defineResource = (resource: ResourceDeclaration): ResourceDeclaration => resource

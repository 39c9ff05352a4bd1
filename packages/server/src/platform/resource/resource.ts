import type { Instant } from '../kernel/clock.ts'
import type { ApiError, ErrorCode } from '../kernel/errors.ts'
import type { DatedPage, Page, PartialPage, SortKey } from '../kernel/page.ts'
import type { SealedColumns } from '../postgres/secrets.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Entity, Reaction, ResourceRow } from '../unit-of-work/entity.ts'
import type { Access, AnyAccess } from './access.ts'
import type { BytesBody } from './bytes.ts'
import type { EventType } from './event-type.ts'
import type { Members, TObject } from './schema.ts'
import type { Wire } from './wire.ts'

/*
 * The declaration of a resource. An endpoint is one declaration by one of these functions, or of those in streams.ts.
 * `write` and `remove` receive a Change, the only way to write, the others a context to read with. None compiles
 * without its credential.
 */

export type Described = {
  /** The path below the version, such as `/v1`; `{id}` is a parameter with the TypeID prefix in `params`. */
  path: string
  /** The `operationId`: a verb and a noun. */
  name: string
  /** A title for lists of operations, without a full stop. */
  summary: string
  /** One to four sentences that the title does not say. The document adds the scope or credential. */
  description: string
  /** The resource that documents the route, if it is not the declaring one. */
  documentedUnder?: string
  /** The TypeID prefix of each path parameter that is an id. Handlers receive the UUID. */
  params?: Record<string, string>
  /** The path parameters that are texts, such as ids in the client's system. Handlers receive them decoded. */
  texts?: TObject
  /** True if the route exists in test environments only; live keys receive 404. */
  testOnly?: boolean
  /** The path parameter of a person for which `me` stands for whom the request acts. */
  meParam?: string
  /** True if the request acts for a person: without one it is refused. */
  needsPerson?: true
  /** The path parameter of a person, who may do this to itself without the scope. */
  ownParam?: string
  /** Errors of this route beyond those of its kind. */
  errors?: ErrorCode[]
  /** The name of a limit of attempts besides the general limit. */
  limitedFor?: string
  /** True if the log of requests leaves requests of this route out. */
  unlogged?: true
}

export type Common = Described & Access

export type Input<Query extends TObject, Body extends TObject> = {
  /** The path parameters: UUIDs, and texts as they were decoded. */
  params: { id: string } & Record<string, string>
  query: Members<Query>
  body: Members<Body>
}

export type Route = Described &
  AnyAccess & {
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
    kind: 'read' | 'list' | 'write' | 'signal' | 'stream' | 'live' | 'content'
    status: number
    /** True if the response has the status 200, and no location, unless the change creates the object. */
    createsOrChanges?: true
    query?: TObject
    body?: TObject
    bodyExample?: unknown
    replyExample?: unknown
    bodyOptional?: boolean
    /** The bytes that the request has as its body, in place of JSON. */
    bytes?: BytesBody
    /** True if it changes the validity of keys or the clock of an environment: servers then forget both. */
    changesAdmission?: true
    /** High-volume write whose footprint names all that it writes: concurrent requests share one statement. */
    sharesStatements?: boolean
    reply: Wire<never> | null
    /** The stored reply without its secret, for replies that show one. */
    storedReply?: Wire<never>
    /**
     * The secret that encrypts the stored reply with the secret in it: who presents it again gets it replayed. By
     * default the presented credential; null stores no such reply.
     */
    sealWith?: (body: never) => string | null
    /** The location of a created object: a path below the version. */
    location?: (row: never) => string
    /**
     * The version for the ETag; null if the response is not a single versioned resource. It returns null for an object
     * that its version does not identify: the response then has no ETag.
     */
    versionOf: ((row: never) => number | null) | null
    /** For a read without a version: its ETag is of the content. */
    tagsContent?: true
    sorts?: readonly string[]
    sortNotes?: Record<string, string>
    /** True for a list without the parameter `sort`. */
    fixedSort?: true
    /** For a list: the number of items on a page unless the request says otherwise; that of all lists if omitted. */
    defaultLimit?: number
    /** For a list or read: the objects that `include` puts beside their ids. */
    includes?: Includes<never>
    /** For a list: its pages are `DatedPage`s, which have `as_of` and a weak ETag. */
    dated?: true
    /** For a list: a feed, whose pages all have the place after them. */
    endless?: boolean
    /** For a stream or live stream. */
    mediaType?: string
    /** For a live stream: the list whose cursors are valid for resuming. */
    cursorsOf?: { path: string; sort: string }
    /** Renames the fields in an error of the handler. */
    refusal?: (error: ApiError) => ApiError
    handle: (...args: never[]) => unknown
  }

/** The objects that a client can ask for together with rows that refer to them. */
export type Includes<Row> = {
  names: readonly string[]
  /** Returns the rows with the objects of these names, read together for all rows. */
  of(ctx: Ctx, rows: Row[], names: string[]): Promise<Row[]>
}

export type None = TObject<Record<never, never>>

const versionOfRow = (row: { version: number }) => row.version

/** GET of one object. Null from the handler is 404. */
export const read = <Row extends object, Query extends TObject = None>(
  route: Common & {
    query?: Query
    reply: Wire<Row>
    includes?: Includes<Row>
    /** False if the reply has no version. */
    versioned?: boolean
    tagsContent?: true
    versionOf?(row: Row): number | null
    handle(ctx: Ctx, input: Input<Query, None>): Promise<Row | null>
  },
): Route =>
  ({
    ...route,
    method: 'GET',
    kind: 'read',
    status: 200,
    versionOf: route.versioned === false ? null : ((route.versionOf ?? versionOfRow) as Route['versionOf']),
  }) as unknown as Route

/** The meaning of sorts that several resources have. */
const commonSorts = {
  created_at: 'oldest first',
  '-created_at': 'newest first',
  '-updated_at': 'last updated first',
  name: 'by name, regardless of case',
  position: 'lowest `position` first',
}

/** A list of one request: what its page and its total have in common is done once. */
export type ListRequest<Row, Sort extends string = string> = {
  /**
   * JSON of all that decides which rows are in the list beside its path, query and sort; null for nothing. A cursor is
   * not valid after it changed.
   */
  boundTo?: unknown
  /** @returns a part of the list if the time of a page is over and more rows may exist */
  page(page: Page<Sort>): Promise<Row[] | PartialPage<Row> | DatedPage<Row>>
  /** For a dated list: the `state` that the page would have, or null if only reading the page tells. */
  stateOf?(page: Page<Sort>): Promise<unknown>
  /** The ids of a page, if an index finds them without the rows. */
  ids?(page: Page<Sort>): Promise<string[]>
  /** Counts the whole list, up to `atMost`; `more` if it is too long to count. */
  count(atMost: number): Promise<Count>
}

export type Count = number | { count: number; more: boolean }

/** How a list is read: prepared once for page and total, or by a function for each. */
type ListHandlers<Row, Sort extends string, Query extends TObject> =
  | { prepare(ctx: Ctx, input: Input<Query, None>): Promise<ListRequest<Row, Sort>> }
  | {
      handle(ctx: Ctx, input: Input<Query, None> & { page: Page<Sort> }): Promise<Row[] | PartialPage<Row>>
      count(ctx: Ctx, input: Input<Query, None>, atMost: number): Promise<Count>
    }

const preparing = <Row, Sort extends string, Query extends TObject>(
  route: ListHandlers<Row, Sort, Query>,
): ListRoute['handle'] =>
  ('prepare' in route
    ? route.prepare
    : async (ctx: Ctx, input: Input<Query, None>) => ({
        page: async (page: Page<Sort>) => route.handle(ctx, { ...input, page }),
        count: async (atMost: number) => route.count(ctx, input, atMost),
      })) as ListRoute['handle']

/** GET of a list by pages. */
export const list = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    query?: Query
    item: Wire<Row>
    includes?: Includes<Row>
    /** The first sort is the default. */
    sorts: readonly [Sort, ...Sort[]]
    /** The meaning of sorts that `commonSorts` lacks. */
    sortNotes?: Partial<Record<Sort, string>>
    /** True if clients cannot choose the sort: the list has no parameter `sort`. */
    fixedSort?: true
    /** For a list that is short enough to be whole by default: the number of items on a page. */
    defaultLimit?: number
    dated?: true
    /** The sort values of a row, ending with its unique tie-breaker. */
    sortKey(row: Row, sort: Sort): SortKey
  } & ListHandlers<Row, Sort, Query>,
): ListRoute =>
  ({
    ...route,
    sortNotes: { ...commonSorts, ...route.sortNotes },
    method: 'GET',
    kind: 'list',
    status: 200,
    reply: route.item,
    versionOf: null,
    handle: preparing(route),
  }) as unknown as ListRoute

/** GET of a list without an end: its last page has a cursor, too, for rows that are added later. */
export const feed = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    query?: Query
    item: Wire<Row>
    sorts: readonly [Sort, ...Sort[]]
    sortNotes: Record<Sort, string>
    handle(ctx: Ctx, input: Input<Query, None> & { page: Page<Sort> }): Promise<PartialPage<Row>>
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
    handle: preparing<Row, Sort, Query>(route),
  }) as unknown as ListRoute

export type ListRoute = Route & {
  kind: 'list'
  sorts: readonly string[]
  sortKey(row: object, sort: string): SortKey
  handle(ctx: Ctx, input: { params: object; query: object }): Promise<ListRequest<object>>
}

/** A POST, PATCH or PUT, or a DELETE with a response. The handler receives a Change and may run more than once. */
export const write = <Row extends object, Query extends TObject = None, Body extends TObject = None>(
  route: Common & {
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
    status?: 200 | 201 | 202
    query?: Query
    body?: Body
    bodyExample?: unknown
    /** The response of the example request, if it is not the example of the reply. */
    replyExample?: unknown
    bodyOptional?: boolean
    sharesStatements?: boolean
    changesAdmission?: true
    reply: Wire<Row>
    storedReply?: Wire<Row>
    sealWith?(body: Members<Body>): string | null
    location?(row: Row): string
    versionOf?: ((row: Row) => number | null) | null
    handle(change: Change, input: Input<Query, Body>): Promise<Row> | Row
  },
): Route => ({
  ...route,
  kind: 'write',
  status: route.status ?? 200,
  versionOf: (route.versionOf === undefined ? versionOfRow : route.versionOf) as Route['versionOf'],
})

/** A PUT that creates the object which the path names (201), or changes it if there is one (200). */
export const upsert = <Row extends ResourceRow, Body extends TObject = None>(
  route: Common & {
    texts: TObject
    body: Body
    bodyExample: Members<Body>
    reply: Wire<Row>
    location(row: Row): string
    handle(change: Change, input: Input<None, Body>): Promise<Row>
  },
): Route => ({ ...write<Row, None, Body>({ ...route, method: 'PUT', status: 201 }), createsOrChanges: true })

/** A DELETE: 204 without a body. */
export const remove = (
  route: Common & {
    changesAdmission?: true
    handle(change: Change, input: Input<None, None>): Promise<void>
  },
): Route => ({ ...route, method: 'DELETE', kind: 'write', status: 204, reply: null, versionOf: null })

/** A PUT that stores nothing, neither rows nor events nor an idempotency key: 204 without a body. */
export const signal = <Body extends TObject>(
  route: Common & {
    body: Body
    bodyExample: unknown
    handle(ctx: Ctx, input: Input<None, Body>): Promise<void>
  },
): Route => ({ ...route, method: 'PUT', kind: 'signal', status: 204, reply: null, versionOf: null })

/**
 * Work that runs at a set time. `change.jobs.schedule(name, subject, time)` schedules it. `perform` runs like a
 * handler, and its Change also removes the due row.
 */
export type Job = {
  name: string
  /** The entity of the subjects, which are read together for a batch. Omit it for jobs that usually end a batch. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  subjects?: Entity<any>
  /** True if only a process that does background work runs it, and never the request that schedules it. */
  isBackground?: true
  perform(change: Change, subjectId: string, dueAt: Instant): Promise<unknown> | unknown
}

/** A reaction to writes of a row, of this resource or another, in the same change. */
export type Subscription = {
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  to: Entity<any>
  react: Reaction
}

/** Connects a reaction to its entity, which gives its rows their type. */
export const on = <Row extends ResourceRow>(
  entity: Entity<Row>,
  react: (change: Change, before: Row | null, after: Row | null) => Promise<void> | void,
): Subscription => ({ to: entity, react: react as Reaction })

/** A family of scopes. For each role: the scopes that it has, where `write` includes to read. */
export type ScopeFamily = { family: string; roles: Readonly<Record<string, 'none' | 'read' | 'write'>> }

export type Resource = {
  /** The folder name, and the tag in the OpenAPI document. */
  name: string
  /** The title of the tag; omitted if other resources document all routes. */
  title?: string
  description?: string
  /**
   * Its group on the reference page. Places order the resources, and groups by their first resource. A resource without
   * a place comes last in its group.
   */
  group?: { title: string; place?: number }
  /** The family of scopes of its routes, unless they have that of another resource. */
  scopes?: ScopeFamily
  routes: Route[]
  events: EventType[]
  /** The scope that shows its events to people, if other routes show less without it. */
  eventsScope?: string
  /**
   * The path to a list of people in the objects of its events: of people, they alone see the event. All see it if the
   * list is empty.
   */
  eventsOnlyFor?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  entities?: Entity<any>[]
  reactions?: Subscription[]
  jobs?: Job[]
  /** The columns that its actions encrypt by `secretBox.seal`, with the id of the row as the place. */
  sealed?: SealedColumns[]
}

/** Limits that tests override; otherwise routes have their own. */
export type ResourceLimits = {
  /** The time limit of an audit log verification. */
  verifyWithinMs?: number
}

/**
 * The scopes that show the events of a resource to people, and its `eventsOnlyFor`, by the first half of its event
 * types. Complete once all resources are loaded.
 */
export type EventAccess = ReadonlyMap<
  string,
  { scopes: readonly string[]; onlyFor: readonly string[] | null }
>

/** The declaration of a resource. Routes that depend on all event types are a function, with state of one process. */
export type ResourceDeclaration = Omit<Resource, 'routes'> & {
  routes: Route[] | ((eventTypes: EventType[], limits: ResourceLimits, eventAccess: EventAccess) => Route[])
}

export const defineResource = (resource: ResourceDeclaration): ResourceDeclaration => resource

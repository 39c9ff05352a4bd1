import type { Instant } from '../kernel/clock.ts'
import type { ApiError, ErrorCode } from '../kernel/errors.ts'
import type { Page, SortKey } from '../kernel/page.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Entities, Entity, Reaction, ResourceRow } from '../unit-of-work/entity.ts'
import type { Members, TObject } from './schema.ts'
import type { Scope } from './scopes.ts'
import type { Wire } from './wire.ts'

/*
 * The declaration of a resource. An endpoint is one declaration by one of seven functions. `read`, `list`, `feed`,
 * `stream` and `live` receive a context to read with; `write` and `remove` receive a Change, the only way to write.
 * None compiles without a scope.
 */

type Common = {
  /** The path below the version, such as `/v1`; `{id}` is a parameter with the TypeID prefix in `params`. */
  path: string
  /** The `operationId`: a verb and a noun. */
  name: string
  /** A title for lists of operations, without a full stop. */
  summary: string
  /** One to four sentences that the title does not say. The document adds the scope. */
  description: string
  scope: Scope
  /** The resource that documents the route, if it is not the declaring one. */
  documentedUnder?: string
  /** The TypeID prefix of each path parameter. Handlers receive the UUID. */
  params?: Record<string, string>
  /** True if the route exists in test environments only; live keys receive 404. */
  testOnly?: boolean
  /** Errors of this route beyond those of its kind. */
  errors?: ErrorCode[]
}

type Input<Query extends TObject, Body extends TObject> = {
  /** The UUIDs of the path parameters. */
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
  /** True if the request may have no body. */
  bodyOptional?: boolean
  /** True if it changes the validity of keys or the clock of an environment: servers then forget both. */
  changesAdmission?: true
  /** High-volume write whose footprint names all that it writes: concurrent requests share one statement. */
  sharesStatements?: boolean
  reply: Wire<never> | null
  /** The stored reply without its secret, for replies that show one. */
  storedReply?: Wire<never>
  /** The location of a created object: a path below the version. */
  location?: (row: never) => string
  /** The version for the ETag; null if the response is not a single versioned resource. */
  versionOf: ((row: never) => number) | null
  sorts?: readonly string[]
  /** The meaning of each sort. */
  sortNotes?: Record<string, string>
  /** For a list: the last page has a cursor as well. */
  endless?: boolean
  /** For a stream or live stream. */
  mediaType?: string
  /** For a live stream: the list whose cursors are valid for resuming. */
  cursorsOf?: { path: string; sort: string }
  /** Renames the fields in an error of the handler. */
  refusal?: (error: ApiError) => ApiError
  handle: (...args: never[]) => unknown
}

type None = TObject<Record<never, never>>

const versionOfRow = (row: { version: number }) => row.version

/** GET of one object. Null from the handler is 404. */
export const read = <Row extends object, Query extends TObject = None>(
  route: Common & {
    query?: Query
    reply: Wire<Row>
    /** False if the reply has no version. */
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

/** The meaning of sorts that several resources have. */
const commonSorts = {
  created_at: 'oldest first',
  '-created_at': 'newest first',
  '-updated_at': 'last updated first',
  name: 'by name, regardless of case',
  position: 'lowest `position` first',
}

/** GET of a list by pages. */
export const list = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    /** The filters of the list. */
    query?: Query
    item: Wire<Row>
    /** The first sort is the default. */
    sorts: readonly [Sort, ...Sort[]]
    /** The meaning of sorts that `commonSorts` lacks. */
    sortNotes?: Partial<Record<Sort, string>>
    /** The sort values of a row, ending with its unique tie-breaker. */
    sortKey(row: Row, sort: Sort): SortKey
    /** Returns a stretch if the time of a page is over and more rows may exist. */
    handle(ctx: Ctx, input: Input<Query, None> & { page: Page<Sort> }): Promise<Row[] | Stretch<Row>>
    /** Counts the whole list, up to `atMost`. */
    count(ctx: Ctx, input: Input<Query, None>, atMost: number): Promise<number>
  },
): ListRoute =>
  ({
    ...route,
    sortNotes: { ...commonSorts, ...route.sortNotes },
    method: 'GET',
    kind: 'list',
    status: 200,
    reply: route.item,
    versionOf: null,
  }) as unknown as ListRoute

/** Part of a list: the rows found, whether more may exist, and the position to continue from, if any. */
export type Stretch<Row> = { rows: Row[]; hasMore: boolean; reached: SortKey | null }

/** GET of a list without an end: its last cursor returns rows that were added since. */
export const feed = <Row extends object, const Sort extends string, Query extends TObject = None>(
  route: Common & {
    query?: Query
    item: Wire<Row>
    sorts: readonly [Sort, ...Sort[]]
    sortNotes: Record<Sort, string>
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

/** GET of a text that is sent in pieces while it is read. An error before the first piece is an error response. */
export const stream = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    mediaType: string
    /** The subject of the stream and the form of a piece, for the documentation. */
    piece: Wire<never>
    replyExample: string
    /** @param signal aborts when the client has disconnected */
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

/** The start of a live stream. */
export type Resuming = {
  /** The position of the client's cursor, if it sent one. */
  after: SortKey | null
  /** The cursor of a position in the list that `cursorsOf` names. */
  cursorAt(key: SortKey): string
}

/** The client of a live stream. */
export type Reader = {
  /** Sends a text. False if the client is slower: wait for `resume` before sending more. */
  send(text: string): boolean
  /** Ends the connection. */
  end(): void
}

/** The source of a live stream, active after `start`. */
export type Live = {
  start(): void
  /** The client has read what was sent. */
  resume(): void
  /**
   * Called every second.
   * @param nowMs time of the monotonic clock
   */
  tick(nowMs: number): void
  /** The client has disconnected. */
  close(): void
}

/** GET of Server-Sent Events without an end. An error of `handle` is an error response. */
export const live = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    piece: Wire<never>
    replyExample: string
    /** The list whose cursors are valid for resuming. */
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

/** A POST, PATCH or PUT. The handler receives a Change and may run more than once. */
export const write = <Row extends object, Query extends TObject = None, Body extends TObject = None>(
  route: Common & {
    method: 'POST' | 'PATCH' | 'PUT'
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

/** A DELETE: 204 without a body. */
export const remove = (
  route: Common & {
    changesAdmission?: true
    handle(change: Change, input: Input<None, None>): Promise<void>
  },
): Route => ({ ...route, method: 'DELETE', kind: 'write', status: 204, reply: null, versionOf: null })

/** An event type that a resource writes to the journal. */
export type EventType = {
  type: string
  description: string
  /** The object of the event at the time of the event. */
  example: Record<string, unknown>
  /** The earlier values of changed fields. */
  previous?: Record<string, unknown>
}

/**
 * Work that runs at a set time. `change.jobs.schedule(name, subject, time)` schedules it. `perform` runs like a
 * handler, and its Change also removes the due row.
 */
export type Job = {
  name: string
  /** The entity of the subjects, which are read together for a batch. Omit it for jobs that usually end a batch. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  subjects?: Entity<any>
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

export type Resource = {
  /** The folder name, and the tag in the OpenAPI document. */
  name: string
  /** The title of the tag; omitted if other resources document all routes. */
  title?: string
  description?: string
  /** Its group on the reference page. Places order the resources, and groups by their first resource. */
  group?: { title: string; place: number }
  routes: Route[]
  events: EventType[]
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  entities?: Entity<any>[]
  reactions?: Subscription[]
  jobs?: Job[]
}

/** The entities and reactions of all resources. Reactions of a row's own resource come first. */
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

/** Limits that tests override; otherwise routes have their own. */
export type ResourceLimits = {
  /** The time limit of an audit log verification. */
  verifyWithinMs?: number
}

/**
 * The declaration of a resource. Routes that depend on all event types are a function; its state belongs to one
 * process.
 */
export type ResourceDeclaration = Omit<Resource, 'routes'> & {
  routes: Route[] | ((eventTypes: EventType[], limits: ResourceLimits) => Route[])
}

export const defineResource = (resource: ResourceDeclaration): ResourceDeclaration => resource

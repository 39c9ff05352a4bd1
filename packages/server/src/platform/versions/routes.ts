import { bodyValidator } from '../http/request/validation.ts'
import { ApiError, type FieldError } from '../kernel/errors.ts'
import type { ListRoute, Route } from '../resource/resource.ts'
import { Shape, type TObject } from '../resource/schema.ts'
import type { LiveRoute, Reader, StreamRoute } from '../resource/streams.ts'
import type { Wire } from '../resource/wire.ts'
import type { Change } from '../unit-of-work/change.ts'
import {
  type FieldChange,
  type Json,
  needsCurrent,
  newerNames,
  olderName,
  toNewer,
  toOlder,
} from './changes.ts'
import { changesOf, formOf, withFields } from './forms.ts'

/* The newer form of a route. Its handler and SQL stay those of the older version. */

/** @param show gives the newer form of a wire */
export function routeIn(
  route: Route,
  changes: FieldChange[],
  show: (wire: Wire<never>) => Wire<never>,
): Route {
  if (!route.reply) return route
  const reply = show(route.reply)
  if (reply === route.reply) return route
  const own = changesOf(route.reply, changes)
  const form = formOf(route.reply.name, route.reply.schema, changes)!
  const shown = {
    ...route,
    reply,
    ...(route.storedReply ? { storedReply: show(route.storedReply) } : {}),
    ...(route.replyExample === undefined ? {} : { replyExample: exampleIn(route, form.toNewer) }),
    refusal: (error: ApiError) => refusalIn(error, own),
  }
  if (route.kind === 'write') return { ...shown, ...writeIn(route, own) }
  if (route.kind === 'list') return { ...shown, ...listIn(route as ListRoute, own) }
  if (route.kind === 'stream') return { ...shown, ...streamIn(route as StreamRoute, form.toNewer) }
  if (route.kind === 'live') return { ...shown, ...liveIn(route as LiveRoute, form.toNewer) }
  return shown
}

type Convert = (value: unknown) => unknown

const exampleIn = ({ kind, replyExample }: Route, convert: Convert) =>
  kind === 'stream' || kind === 'live' ? linesIn(replyExample as string, convert) : convert(replyExample)

/** A body is a form of the object that the route replies with, if it has a field that is replaced. */
function writeIn(route: Route, changes: FieldChange[]): Partial<Route> {
  const { body: schema, bodyExample } = route
  const names = new Set(Object.keys(schema?.properties ?? {}))
  const own = changes.filter(({ older, into }) => {
    if (!names.has(older)) return false
    for (const name of Object.keys(into)) names.add(name)
    return true
  })
  if (!schema || own.length === 0) return {}
  const checkOlder = bodyValidator(schema)
  const olderHandle = route.handle as (change: Change, input: WriteInput) => unknown
  async function handle(change: Change, input: WriteInput) {
    const isPartial = route.params?.id !== undefined && needsCurrent(input.body, own)
    const current = isPartial ? await currentOf(change, own[0]!.object, input.params.id!) : null
    const body = toOlder(input.body, own, current)
    await checkOlder(body, change.ctx)
    return olderHandle(change, { ...input, body })
  }
  return {
    body: withFields(schema, own, 'inBody') as TObject,
    ...(bodyExample === undefined ? {} : { bodyExample: toNewer(bodyExample as Json, own) }),
    handle,
  }
}

type WriteInput = { params: Record<string, string>; body: Json }

/** The object that a request updates, locked as its handler will lock it. */
async function currentOf(change: Change, type: string, id: string): Promise<Json> {
  const entity = change.entityOf(type)
  return entity.wire.present(await change.rows.load(entity, id), change.now)
}

function listIn(route: ListRoute, changes: FieldChange[]): Partial<ListRoute> {
  const older = (name: string) => olderName(changes, name)
  const newer = (name: string) => newerNames(changes, name)[0]!
  const olderFilters = (query: Json) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [older(name), value]))
  return {
    sorts: route.sorts.map((sort) => ofSort(newer, sort)),
    sortNotes: Object.fromEntries(
      Object.entries(route.sortNotes!).map(([sort, note]) => [ofSort(newer, sort), note]),
    ),
    ...(route.query ? { query: filtersIn(route.query, changes) } : {}),
    sortKey: (row, sort) => route.sortKey(row, ofSort(older, sort)),
    async handle(ctx, { query, ...input }) {
      const prepared = await route.handle(ctx, { ...input, query: olderFilters(query as Json) })
      return { ...prepared, page: (page) => prepared.page({ ...page, sort: ofSort(older, page.sort) }) }
    },
  }
}

/** Renames the field of a sort order. */
const ofSort = (rename: (name: string) => string, sort: string) =>
  sort.startsWith('-') ? `-${rename(sort.slice(1))}` : rename(sort)

/** @throws Error for a filter by a field that is split: a part of a value finds nothing */
function filtersIn({ properties }: TObject, changes: FieldChange[]): TObject {
  const filters = Object.entries(properties).map(([older, schema]) => {
    const [name, ...others] = newerNames(changes, older)
    if (others.length > 0) throw new Error(`The filter ${older} would be split into ${name}, ${others}`)
    return [name, schema]
  })
  return Shape(Object.fromEntries(filters))
}

/** The JSON of each line of NDJSON, or of each `data` of Server-Sent Events, in its newer form. */
const linesIn = (text: string, convert: Convert): string =>
  text
    .split('\n')
    .map((line) => {
      const start = line.startsWith('data: {') ? 'data: '.length : 0
      if (line[start] !== '{') return line
      return line.slice(0, start) + JSON.stringify(convert(JSON.parse(line.slice(start))))
    })
    .join('\n')

const streamIn = (route: StreamRoute, convert: Convert): Partial<StreamRoute> => ({
  async *handle(ctx, input, signal) {
    for await (const lines of route.handle(ctx, input, signal)) yield linesIn(lines, convert)
  },
})

const liveIn = (route: LiveRoute, convert: Convert): Partial<LiveRoute> => ({
  handle(ctx, input, resuming, reader) {
    const converting: Reader = {
      send: (text) => reader.send(linesIn(text, convert)),
      end: () => reader.end(),
    }
    return route.handle(ctx, input, resuming, converting)
  },
})

/** An error of the handler with the names of the newer version. */
function refusalIn(error: ApiError, changes: FieldChange[]): ApiError {
  const newer = (name: string) => newerNames(changes, name)[0]!
  const errors = error.details.errors?.map((fault): FieldError => {
    if ('pointer' in fault)
      return { ...fault, pointer: fault.pointer.replace(/^\/([^/]+)/, (_, name) => `/${newer(name)}`) }
    return 'parameter' in fault ? { ...fault, parameter: newer(fault.parameter) } : fault
  })
  const { field } = error.params
  const params = typeof field === 'string' ? { ...error.params, field: newer(field) } : error.params
  return new ApiError(error.code, params, { ...error.details, ...(errors ? { errors } : {}) })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapi } from '../openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is JSON of many shapes
export type Json = any

/** How the client reads a successful response. */
export type ReplyKind = 'json' | 'list' | 'text' | 'bytes' | 'events' | 'lines'

/** An operation of the document, with what the client needs of it. */
export type Operation = {
  id: string
  method: string
  path: string
  /** The summary and the description. */
  documentation: string
  /** Names of the path parameters. */
  params: string[]
  /** The query parameters. */
  query: Json[]
  isQueryRequired: boolean
  /** The schema of the request body; null without one. */
  body: Json | null
  /** The media type of a body that is not JSON. */
  contentType: string | null
  isBodyRequired: boolean
  kind: ReplyKind
  mediaType: string
  /** The schema of the response, or of its items if it is read in pieces; null without a body. */
  reply: Json | null
}

const json = 'application/json'

const document: Json = JSON.parse(await openapi())

/** The schemas of the document, by name. */
export const schemas: Record<string, Json> = document.components.schemas

export const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) =>
    operationOf(method.toUpperCase(), path, operation),
  ),
)

/**
 * The events of the document's `webhooks`, with the name of each one's schema, of that of its object, and of the
 * objects of whose changed fields it has.
 */
export const events: {
  type: string
  description: string
  name: string
  object: string
  related: string[]
}[] = Object.entries<Json>(document.webhooks).map(([type, { post }]) => {
  const [event] = resolved(post.requestBody.content['application/json'].schema).allOf
  const [, own] = resolved(event).allOf
  const { description } = resolved(event)
  const { object, previous: _, ...related } = own.properties.data.properties
  return { type, description, name: nameOf(event), object: nameOf(object), related: Object.keys(related) }
})

export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../packages/sdk/package.json'), 'utf8'),
).version

function operationOf(method: string, path: string, operation: Json): Operation {
  const parameters = (operation.parameters ?? []).map(resolved)
  const body = operation.requestBody
  const [contentType, { schema = null } = {}] = Object.entries<Json>(body?.content ?? {})[0] ?? [json]
  const [mediaType, content] = successOf(operation)
  const query = parameters.filter(({ in: place }: Json) => place === 'query')
  const kind = kindOf(mediaType, query)
  return {
    id: operation.operationId,
    method,
    path,
    documentation: `${operation.summary}.\n\n${operation.description}\n\n\`${method} ${path}\``,
    params: parameters.filter(({ in: place }: Json) => place === 'path').map(({ name }: Json) => name),
    query,
    isQueryRequired: query.some(({ required }: Json) => required),
    body: schema,
    contentType: contentType === json ? null : contentType,
    isBodyRequired: body?.required === true,
    kind,
    mediaType,
    reply: kind === 'events' || kind === 'lines' ? pieceOf(content.schema) : (content?.schema ?? null),
  }
}

/** The media type of the success and its content. JSON, if the operation can answer with that. */
function successOf({ responses }: Json): [mediaType: string, content: Json | null] {
  const [, success] = Object.entries<Json>(responses).find(([status]) => status.startsWith('2'))!
  const contents = Object.entries<Json>(resolved(success).content ?? {})
  return contents.find(([mediaType]) => mediaType === json) ?? contents[0] ?? [json, null]
}

/** A list that ends after one page has no cursor. */
function kindOf(mediaType: string, query: Json[]): ReplyKind {
  if (mediaType === 'text/event-stream') return 'events'
  if (mediaType === 'application/x-ndjson') return 'lines'
  if (mediaType === '*/*') return 'bytes'
  if (mediaType !== json) return 'text'
  return query.some(({ name }) => name === 'cursor') ? 'list' : 'json'
}

/** OpenAPI 3.1 cannot say what a stream consists of, so the description of its schema does. */
function pieceOf({ description }: Json): Json {
  const [, name] = /^A sequence of `(\w+)` objects\.$/.exec(description) ?? []
  if (!name || !schemas[name]) throw new Error(`A stream must name the schema of its items: ${description}`)
  return { $ref: `#/components/schemas/${name}` }
}

/** Follows a reference. */
export function resolved(part: Json): Json {
  if (!part.$ref) return part
  return part.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((at: Json, name: string) => at[name], document)
}

/** The name of a schema that is referred to. */
export function nameOf({ $ref }: Json): string {
  return $ref.split('/').at(-1)
}

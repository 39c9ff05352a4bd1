import { type Operation, operations, schemas, version } from './document.ts'
import { commentOf, membersOf, queryTypeOf, typeOf } from './types.ts'
import { heading } from './types-file.ts'

/** `operations.generated.ts`: the input and reply of each operation, and what the client needs at run time. */
export function operationsFile(): string {
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map((operation) => `export type ${queryNameOf(operation)} = ${queryOf(operation)}\n`)
  const types = operations.map(
    (operation) => `${commentOf(operation.documentation, '  ')}  ${operation.id}: {
    input: ${inputOf(operation)}
    reply: ${replyOf(operation)}
  }`,
  )
  const table = operations.map(
    ({ id, method, path, kind, mediaType, contentType, query }) =>
      `  ${id}: { method: '${method}', path: '${path}', reply: '${kind}', accept: '${mediaType}'${contentType ? `, contentType: '${contentType}'` : ''}${repeatedOf(query)} },`,
  )
  const text = `${queries.join('\n')}
/** The input and reply of each operation, by \`operationId\`. */
export type Operations = {
${types.join('\n')}
}

export type Operation = {
  method: string
  path: string
  reply: 'json' | 'list' | 'text' | 'bytes' | 'events' | 'lines'
  /** The media type of the response. */
  accept: string
  /** The media type of a body of bytes; that of others is JSON. */
  contentType?: string | undefined
  /** The query parameters that are repeated for each item of a list. */
  repeated?: readonly string[]
}

export const operations: Record<keyof Operations, Operation> = {
${table.join('\n')}
}

export const userAgent = 'backline-sdk/${version}'
`
  return `${heading}
import type { UploadBytes } from './bytes.ts'
import type { EventStream, MeEvent } from './event-stream.ts'
import type { FilterTree } from './filters.ts'
import type { LineStream } from './line-stream.ts'
import type { ListReply, Reply } from './reply.ts'
${importOfTypes(text)}
${text}`
}

function repeatedOf(query: Operation['query']): string {
  const names = query.filter(({ schema }) => schema.type === 'array').map(({ name }) => `'${name}'`)
  return names.length > 0 ? `, repeated: [${names.join(', ')}]` : ''
}

/** The import of the schemas that a text names. */
export function importOfTypes(text: string): string {
  const code = text.replace(/\/\*\*.*?\*\//gs, '').replace(/'[^']*'/g, '')
  const words = new Set(code.match(/\b[A-Z]\w*/g))
  const names = Object.keys(schemas).filter((name) => words.has(name))
  return `import type { ${names.join(', ')} } from './types.generated.ts'\n`
}

/** `ListConversationsQuery`. */
export const queryNameOf = ({ id }: Operation): string => `${id[0]!.toUpperCase()}${id.slice(1)}Query`

/** Streams whose events are not those of the journal. */
const otherStreams: Record<string, string> = { streamMe: 'EventStream<MeEvent>' }

export function replyOf({ id, kind, reply }: Operation): string {
  const type = reply ? typeOf(reply) : 'undefined'
  switch (kind) {
    case 'events':
      return otherStreams[id] ?? 'EventStream'
    case 'lines':
      return `LineStream<${type}>`
    case 'list':
      return `ListReply<${type}>`
    case 'bytes':
      return 'Reply<Response>'
    default:
      return `Reply<${type}>`
  }
}

/** The type of a body, which is required if it is not JSON. */
export const bodyTypeOf = ({ body, contentType }: Operation): string =>
  contentType ? 'UploadBytes | string' : typeOf(body)

/** Parameters that are JSON of these types. */
const filterTypes: Record<string, string[]> = {
  filter: ['FilterTree'],
  filters: ['Record<string, FilterTree>'],
}

/** Streams start `after` a cursor, which is that of the last event. */
function queryOf({ query, kind }: Operation): string {
  const members = query.map(({ name, schema, description, required = false }) => ({
    name: kind === 'events' && name === 'cursor' ? 'after' : name,
    schema: { ...schema, description },
    type: [...(filterTypes[name] ?? []), queryTypeOf(schema)].join(' | '),
    isRequired: required,
  }))
  return membersOf(members)
}

function inputOf(operation: Operation): string {
  const { params, query, isQueryRequired, body, isBodyRequired } = operation
  const members = [
    ...(params.length > 0 ? [`params: { ${params.map((name) => `${name}: string`).join('; ')} }`] : []),
    ...(query.length > 0
      ? [
          isQueryRequired
            ? `query: ${queryNameOf(operation)}`
            : `query?: ${queryNameOf(operation)} | undefined`,
        ]
      : []),
    ...(body
      ? [isBodyRequired ? `body: ${bodyTypeOf(operation)}` : `body?: ${typeOf(body)} | undefined`]
      : []),
  ]
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'Record<never, never>'
}

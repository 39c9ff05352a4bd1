import { type ErrorCode, errorCatalogue } from '../../lib/errors.ts'
import { describeCode } from '../problems.ts'
import { Enum, Flag, Int, List, Shape, Text, type TSchema, Type } from '../schema.ts'
import { headersOf, type Json, ref } from './components.ts'
import { pascal, refusal } from './refusals.ts'

/*
 * What the server answers without an API key: discovery.ts, docs.ts and metrics.ts serve it. No route() stands
 * behind it, so test/openapi.test.ts checks that this is what they serve.
 */

export const serviceTag = {
  name: 'service',
  title: 'Service',
  description: 'What the server says about itself. No API key is needed.',
}

type Page = {
  path: string
  name: string
  summary: string
  description: string
  /** Media type → schema and example of the response. */
  content: Record<string, { schema: TSchema; example: unknown }>
  parameters?: Json[]
  security?: Json[]
  errors?: ErrorCode[]
}

const errorCode = {
  schema: Shape({
    type: Type.String({ format: 'uri', maxLength: 500 }),
    code: Enum(Object.keys(errorCatalogue) as [string, ...string[]]),
    status: Int(400, 599),
    title: Text(1, 200),
    detail: Text(1, 2000),
  }),
  example: (publicUrl: string) => describeCode('scope_missing', publicUrl),
}

const errorCodeList = {
  schema: Shape({
    object: Enum(['list']),
    data: List(errorCode.schema, 100),
    has_more: Flag(),
    next_cursor: Type.Null(),
  }),
  example: (publicUrl: string) => ({
    object: 'list',
    data: [errorCode.example(publicUrl)],
    has_more: false,
    next_cursor: null,
  }),
}

const status = <const Value extends string>(value: Value) => ({
  'application/json': { schema: Shape({ status: Enum([value]) }), example: { status: value } },
})

const html = (title: string) => ({
  'text/html': {
    schema: Type.String({ maxLength: 1_000_000, pattern: '^<!doctype html>[\\s\\S]*$' }),
    example: `<!doctype html><title>${title}</title>`,
  },
})

const pages = (publicUrl: string): Page[] => [
  {
    path: '/v1/openapi.json',
    name: 'getOpenapi',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, made from what validates requests and shapes responses.',
    errors: ['version_retired'],
    content: {
      'application/json': {
        schema: Type.Object({ openapi: Text(1, 20) }, { additionalProperties: true }),
        example: { openapi: '3.1.0', info: { title: 'Backline API', version: '1.0.0' }, paths: {} },
      },
    },
  },
  {
    path: '/docs',
    name: 'getDocs',
    summary: 'Read the API reference',
    description: 'This document as a page; it needs no network beyond this server.',
    content: html('Backline API reference'),
  },
  {
    path: '/problems',
    name: 'listProblems',
    summary: 'List the error codes',
    description: 'JSON, or a page when HTML is preferred.',
    content: {
      'application/json': { schema: errorCodeList.schema, example: errorCodeList.example(publicUrl) },
      ...html('Error codes'),
    },
  },
  {
    path: '/problems/{code}',
    name: 'getProblem',
    summary: 'Explain an error code',
    description: 'Where the `type` of every error leads. JSON, or a page when HTML is preferred.',
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        description: 'The `code` of an error.',
        schema: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z_]+$' }),
        example: 'scope_missing',
      },
    ],
    content: {
      'application/json': { schema: errorCode.schema, example: errorCode.example(publicUrl) },
      ...html('scope_missing'),
    },
    errors: ['not_found'],
  },
  {
    path: '/healthz',
    name: 'getHealth',
    summary: 'Is the process up?',
    description: 'Answers without asking the database.',
    content: status('ok'),
  },
  {
    path: '/readyz',
    name: 'getReadiness',
    summary: 'Can requests be served?',
    description: 'The database answers and has all migrations; otherwise 503 with `params.faults`.',
    content: status('ready'),
  },
  {
    path: '/metrics',
    name: 'getMetrics',
    summary: 'Read the metrics',
    description: "Prometheus' text format. Open on loopback; elsewhere with the metrics token, or else 404.",
    security: [{}, { metricsToken: [] }],
    content: {
      'text/plain': {
        schema: Type.String({ maxLength: 10_000_000, pattern: '^[\\s\\S]*$' }),
        example: 'process_resident_memory_bytes 96219136\n',
      },
    },
    errors: ['api_key_missing', 'api_key_invalid'],
  },
]

export const servicePaths = (components: Json, publicUrl: string): Record<string, Json> =>
  Object.fromEntries(
    pages(publicUrl).map(({ path, name, content, errors = [], ...rest }) => {
      const vary = Object.keys(content).length > 1 ? (['Vary'] as const) : []
      const done = { description: 'Done.', ...headersOf('Request-Id', 'traceparent', ...vary), content }
      const byStatus = Map.groupBy([...errors, 'internal_error', 'unavailable'] as ErrorCode[], statusOf)
      const failures = [...byStatus].map(([status, codes]) => [
        status,
        failure(status, codes, components, publicUrl),
      ])
      const responses = {
        200: done,
        ...Object.fromEntries(failures),
        '4XX': ref('responses', 'OtherRefusal'),
      }
      return [path, { get: { operationId: name, tags: [serviceTag.name], security: [], ...rest, responses } }]
    }),
  )

const statusOf = (code: ErrorCode): number => errorCatalogue[code][0]

/** A component of its own: no rate limit and no version is involved. */
function failure(status: number, codes: ErrorCode[], components: Json, publicUrl: string) {
  const name = `Service${codes.map(pascal).join('')}`
  const more =
    status === 503 ? (['Retry-After'] as const) : status === 401 ? (['WWW-Authenticate'] as const) : []
  components[name] ??= {
    ...refusal(status, codes, publicUrl),
    ...headersOf('Request-Id', 'traceparent', ...more),
  }
  return ref('responses', name)
}

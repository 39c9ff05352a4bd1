import { describeCode } from '../../../platform/http/response/problems.ts'
import { type ErrorCode, errorCatalogue } from '../../../platform/kernel/errors.ts'
import {
  Enum,
  Int,
  List,
  Nullable,
  Shape,
  Text,
  type TSchema,
  Type,
} from '../../../platform/resource/schema.ts'
import { listMembers } from '../../../platform/resource/wire.ts'
import { headersOf, type Json, ref } from './components.ts'
import { pascal, refusal, refusedByHttp } from './refusals.ts'
import type { Components } from './schemas.ts'

/*
 * The routes without an API key: discovery.ts, metrics.ts and pages/ serve them. They have no declaration, so
 * test/openapi.test.ts compares this description with the responses.
 */

export const serviceTag = {
  name: 'service',
  title: 'Service',
  description: 'Health, metrics and documentation of the server. No API key is required.',
}

type Page = {
  path: string
  name: string
  summary: string
  description: string
  /** The description of the response of a success. */
  returns: string
  /** Media type → schema and example of the response, and the name of the schema of an object. */
  content: Record<string, { schema: TSchema; example: unknown; name?: string }>
  parameters?: Json[]
  security?: Json[]
  errors?: ErrorCode[]
}

const address = (description: string) => Type.String({ format: 'uri', maxLength: 500, description })

const errorCode = {
  name: 'ErrorCode',
  schema: Shape(
    {
      type: address('The URL of this page, the `type` of errors with the code.'),
      code: Enum(Object.keys(errorCatalogue) as [string, ...string[]], { description: 'The error code.' }),
      status: Int(400, 599, { description: 'The HTTP status of responses with the code.' }),
      title: Text(1, 200, { description: 'The meaning in short.' }),
      detail: Text(1, 2000, { description: 'What the code means, and what its `params` are.' }),
    },
    { title: 'ErrorCode' },
  ),
  example: (publicUrl: string) => describeCode('scope_missing', publicUrl),
}

const errorCodeList = {
  name: 'ErrorCodeList',
  schema: Shape({
    ...listMembers(errorCode.schema, 100),
    next_cursor: Type.Null({ description: 'Always null: the list is complete.' }),
  }),
  example: (publicUrl: string) => ({
    object: 'list',
    data: [errorCode.example(publicUrl)],
    has_more: false,
    next_cursor: null,
  }),
}

const service = {
  name: 'Service',
  schema: Shape({
    object: Enum(['service']),
    name: Text(1, 50, { description: 'The name of the software.' }),
    version: Text(1, 50, { description: 'The version of the server.' }),
    status: Enum(['ready', 'not_ready'], {
      description: 'Whether the server can serve requests; `readiness` gives the faults.',
    }),
    links: Shape(
      {
        console: Nullable(address('The console for operators and engineers; null if it is not installed.')),
        reference: address('The API reference.'),
        guides: address('The guides.'),
        openapi: address('The OpenAPI document.'),
        problems: address('The error codes.'),
        readiness: address('The readiness check.'),
      },
      { description: 'URLs of this server.' },
    ),
  }),
  example: (publicUrl: string) => ({
    object: 'service',
    name: 'Backline',
    version: '0.1.0',
    status: 'ready',
    links: {
      console: `${publicUrl}/console`,
      reference: `${publicUrl}/docs`,
      guides: `${publicUrl}/guides`,
      openapi: `${publicUrl}/v1/openapi.json`,
      problems: `${publicUrl}/problems`,
      readiness: `${publicUrl}/readyz`,
    },
  }),
}

const alive = {
  'application/json': {
    name: 'OkStatus',
    schema: Shape({ status: Enum(['ok']) }),
    example: { status: 'ok' },
  },
}

const html = (title: string) => ({
  'text/html': {
    schema: Type.String({ maxLength: 1_000_000, pattern: '^<!doctype html>[\\s\\S]*$' }),
    example: `<!doctype html><title>${title}</title>`,
  },
})

const pages = (publicUrl: string): Page[] => [
  {
    path: '/',
    name: 'getService',
    summary: 'Get the service',
    description:
      'Returns the version and health of the server with links, or an HTML page if `Accept` prefers HTML.',
    returns: 'The `Service`, or an HTML page.',
    content: { 'application/json': { ...service, example: service.example(publicUrl) }, ...html('Backline') },
  },
  {
    path: '/v1/openapi.json',
    name: 'getOpenapi',
    summary: 'Get the OpenAPI document',
    description:
      'Returns this document: OpenAPI 3.1, generated from the schemas that validate requests and serialize responses.',
    returns: 'The OpenAPI document.',
    errors: ['version_retired'],
    content: {
      'application/json': {
        schema: Type.Object({ openapi: Text(1, 20) }, { additionalProperties: true }),
        example: { openapi: '3.1.0', info: { title: 'Backline API', version: '1.0.0' }, paths: {} },
      },
    },
  },
  {
    path: '/guides',
    name: 'listGuides',
    summary: 'List the guides',
    description:
      'Returns an HTML page with links to the guides: how to start, receive webhooks, operate the server.',
    returns: 'An HTML page.',
    content: html('Guides'),
  },
  {
    path: '/guides/{name}',
    name: 'getGuide',
    summary: 'Get a guide',
    description: 'Returns a guide as an HTML page.',
    returns: 'An HTML page.',
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'The name of the guide.',
        schema: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z-]+$' }),
        example: 'webhooks',
      },
    ],
    content: html('Webhooks'),
    errors: ['not_found'],
  },
  {
    path: '/docs',
    name: 'getDocs',
    summary: 'Get the API reference',
    description: 'Returns this document as an HTML page that loads nothing from other servers.',
    returns: 'An HTML page.',
    content: html('Backline API reference'),
  },
  {
    path: '/problems',
    name: 'listProblems',
    summary: 'List error codes',
    description:
      'Returns all error codes with their explanations, as JSON, or as an HTML page if `Accept` prefers HTML.',
    returns: 'The `ErrorCodeList`, or an HTML page.',
    content: {
      'application/json': { ...errorCodeList, example: errorCodeList.example(publicUrl) },
      ...html('Error codes'),
    },
  },
  {
    path: '/problems/{code}',
    name: 'getProblem',
    summary: 'Get an error code',
    description:
      'The `type` of every error links here. Returns JSON, or an HTML page if `Accept` prefers HTML.',
    returns: 'The `ErrorCode`, or an HTML page.',
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        description: 'The error code.',
        schema: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z_]+$' }),
        example: 'scope_missing',
      },
    ],
    content: {
      'application/json': { ...errorCode, example: errorCode.example(publicUrl) },
      ...html('scope_missing'),
    },
    errors: ['not_found'],
  },
  {
    path: '/healthz',
    name: 'getHealth',
    summary: 'Check liveness',
    description:
      'Succeeds while the process runs, without a database query. For liveness probes: use `/readyz` to decide whether to send requests.',
    returns: 'The `OkStatus`.',
    content: alive,
  },
  {
    path: '/readyz',
    name: 'getReadiness',
    summary: 'Check readiness',
    description:
      'Succeeds if the database responds and all migrations are applied; otherwise returns 503 with `params.faults`. `warnings` lists faults that do not prevent requests.',
    returns: 'The `ReadyStatus`.',
    content: {
      'application/json': {
        name: 'ReadyStatus',
        schema: Shape({
          status: Enum(['ready']),
          warnings: List(Text(1, 1_000), 20, {
            description:
              'Faults that do not prevent requests: a clock that differs from that of the database, and background work that only fails.',
          }),
        }),
        example: { status: 'ready', warnings: [] },
      },
    },
  },
  {
    path: '/metrics',
    name: 'getMetrics',
    summary: 'Get metrics',
    description:
      'Returns metrics in the Prometheus text format. Loopback addresses need no token; all other clients need the metrics token.',
    returns: 'Metrics as text.',
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

export const servicePaths = (components: Components, publicUrl: string): Record<string, Json> =>
  Object.fromEntries(
    pages(publicUrl).map(({ path, name, returns, content, errors = [], ...rest }) => {
      const vary = Object.keys(content).length > 1 ? (['Vary'] as const) : []
      const done = {
        description: returns,
        ...headersOf('Request-Id', 'traceparent', ...vary),
        content: contentOf(content, components),
      }
      const byStatus = Map.groupBy(
        ['bad_request', ...errors, 'internal_error', 'unavailable'] as ErrorCode[],
        statusOf,
      )
      const failures = [...byStatus].map(([status, codes]) => [
        status,
        failure(status, codes, components.responses, publicUrl),
      ])
      const responses = {
        200: done,
        ...Object.fromEntries(failures),
        ...refusedByHttp,
      }
      return [path, { get: { operationId: name, tags: [serviceTag.name], security: [], ...rest, responses } }]
    }),
  )

const contentOf = (content: Page['content'], { schemas }: Components): Json =>
  Object.fromEntries(
    Object.entries(content).map(([type, { name, schema, example }]) => [
      type,
      { schema: name ? schemas.ofReply({ name, schema }) : schema, example },
    ]),
  )

const statusOf = (code: ErrorCode): number => errorCatalogue[code][0]

/** A separate component: these routes have no rate limit and no version. */
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

import { type ErrorCode, errorCatalogue, fieldErrorCodes } from '../lib/errors.ts'
import type { Resource, Route } from '../resource.ts'
import { mediaTypesFor } from './body.ts'
import { querySchema } from './mount.ts'
import { describeCode, problemMediaType } from './problems.ts'

type Json = Record<string, unknown>

/*
 * The OpenAPI 3.1 document, made from the declarations that serve the requests: what is not in them is not in
 * here, and the other way round.
 */
export function openapiDocument(resources: Resource[], publicUrl: string): Json {
  const components = { schemas: {} as Json, responses: {} as Json }
  const paths: Record<string, Json> = {}
  for (const resource of resources) {
    for (const route of resource.routes) {
      const path = `/v1${route.path}`
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = operation(route, resource, components, publicUrl)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backline API',
      version: '1.0.0',
      summary: 'A customer-support backend.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Backline', url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    tags: resources
      .filter((resource) => resource.routes.length > 0)
      .map(({ name, title, description }) => ({ name, 'x-displayName': title, description })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: { Problem: problemSchema, ...sorted(components.schemas) },
      responses: sorted(components.responses),
      parameters,
      headers,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret API key: `bkl_live_…` or `bkl_test_…`.',
        },
      },
    },
  }
}

const introduction = `JSON over HTTP. Every POST needs an \`Idempotency-Key\`; a retry with the same key is carried out once and
answered with the first response. Lists are walked with \`cursor\`. Errors are \`application/problem+json\` (RFC 9457)
whose \`code\` is stable; \`GET /problems\` explains each.`

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const sorted = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))

type Components = { schemas: Json; responses: Json }

function operation(route: Route, resource: Resource, components: Components, publicUrl: string): Json {
  return {
    operationId: route.name,
    summary: route.summary,
    description: [route.description, `Scope: \`${route.scope}\`.`].filter(Boolean).join(' '),
    tags: [resource.name],
    ...parametersOf(route),
    ...requestBodyOf(route),
    responses: { ...successOf(route, components), ...refusalsOf(route, components, publicUrl) },
  }
}

function parametersOf(route: Route): Json {
  const fromPath = Object.entries(route.params ?? {}).map(([name, prefix]) => ({
    name,
    in: 'path',
    required: true,
    description: `An id that begins with \`${prefix}_\`.`,
    schema: { type: 'string', minLength: 1, maxLength: 100, pattern: `^${prefix}_[0-9a-z]{26}$` },
  }))
  const query = querySchema(route)
  const fromQuery = Object.entries(query.properties).map(([name, schema]) => {
    const { description, ...rest } = schema as Json
    return {
      name,
      in: 'query',
      description: description ?? `Only items with this \`${name}\`.`,
      schema: rest,
    }
  })
  const fromHeaders = [ref('parameters', 'BacklineOperator')]
  if (route.kind === 'write') {
    fromHeaders.push(ref('parameters', route.method === 'POST' ? 'IdempotencyKey' : 'OptionalIdempotencyKey'))
    if (route.params) fromHeaders.push(ref('parameters', 'IfMatch'))
  }
  if (route.kind === 'read' && route.versionOf) fromHeaders.push(ref('parameters', 'IfNoneMatch'))
  return { parameters: [...fromPath, ...fromQuery, ...fromHeaders] }
}

function requestBodyOf(route: Route): Json {
  if (!route.body) return {}
  const content = { schema: route.body, example: route.bodyExample }
  return {
    requestBody: {
      required: !route.bodyOptional,
      content: Object.fromEntries(mediaTypesFor(route.method).map((type) => [type, content])),
    },
  }
}

function successOf(route: Route, components: Components): Json {
  const common = ['RequestId', 'RateLimit', 'RateLimitPolicy', 'Deprecation', 'Sunset']
  if (route.kind === 'write') common.push('IdempotentReplayed', 'OriginalRequestId')
  if (route.versionOf) common.push('ETag')
  if (route.location) common.push('Location')
  common.push('Link')
  const withHeaders = (names: string[]) => ({
    headers: Object.fromEntries(names.map((name) => [headerNames[name as HeaderName], ref('headers', name)])),
  })
  if (!route.reply) return { 204: { description: 'Done.', ...withHeaders(common) } }
  components.schemas[route.reply.name] = route.reply.schema
  const { schema, example } =
    route.kind === 'list'
      ? listOf(route)
      : { schema: ref('schemas', route.reply.name), example: route.reply.example }
  const success: Json = {
    [route.status]: {
      description: route.status === 201 ? 'Created.' : 'Done.',
      ...withHeaders(common),
      content: { 'application/json': { schema, example } },
    },
  }
  if (route.kind === 'read' && route.versionOf) {
    success[304] = {
      description: 'Not changed since the version in `If-None-Match`.',
      ...withHeaders(common),
    }
  }
  return success
}

function listOf(route: Route): { schema: Json; example: Json } {
  const item = route.reply!
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['object', 'data', 'has_more', 'next_cursor'],
      properties: {
        object: { type: 'string', enum: ['list'] },
        data: { type: 'array', maxItems: 100, items: ref('schemas', item.name) },
        has_more: { type: 'boolean' },
        next_cursor: { type: ['string', 'null'], maxLength: 2048, pattern: '^[A-Za-z0-9_-]*$' },
        total: {
          type: 'integer',
          format: 'int32',
          minimum: 0,
          maximum: 10_000,
          description: 'With `include=total`.',
        },
        total_is_capped: {
          type: 'boolean',
          description: 'With `include=total`: whether there are more than `total`.',
        },
      },
    },
    example: { object: 'list', data: [item.example], has_more: false, next_cursor: null },
  }
}

/** Every code that a route can answer with, by what kind of route it is. */
function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [
    'bad_request',
    'invalid_query',
    'api_key_missing',
    'api_key_invalid',
    'api_key_expired',
    'scope_missing',
    'address_not_allowed',
    'not_found',
    'not_acceptable',
    'version_retired',
    'validation_failed',
    'rate_limited',
    'internal_error',
    'unavailable',
  ]
  if (route.kind === 'list') codes.push('cursor_invalid', 'cursor_mismatch')
  if (route.kind === 'write') {
    codes.push('malformed_json', 'payload_too_large', 'unsupported_media_type')
    codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use')
    if (route.method === 'POST') codes.push('idempotency_key_missing')
    if (route.params) codes.push('precondition_failed')
  }
  return [...codes, ...(route.errors ?? [])]
}

function refusalsOf(route: Route, components: Components, publicUrl: string): Json {
  const byStatus = Map.groupBy(codesOf(route), (code) => errorCatalogue[code][0])
  const responses: Json = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    // Routes that refuse for the same reasons share a component, named by them.
    const name = `${status}-${codes.sort().join('-')}`.replaceAll('_', '').slice(0, 120)
    components.responses[name] ??= refusal(status, codes, publicUrl)
    responses[status] = ref('responses', name)
  }
  return responses
}

const extraHeaders: Record<number, HeaderName[]> = {
  401: ['WwwAuthenticate'],
  409: ['RetryAfter'],
  412: ['ETag'],
  429: ['RetryAfter'],
  503: ['RetryAfter'],
}

function refusal(status: number, codes: ErrorCode[], publicUrl: string): Json {
  const names: HeaderName[] = [
    'RequestId',
    'RateLimit',
    'RateLimitPolicy',
    'Deprecation',
    'Sunset',
    'Link',
    ...(extraHeaders[status] ?? []),
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}.`).join('\n'),
    headers: Object.fromEntries(names.map((name) => [headerNames[name], ref('headers', name)])),
    content: {
      [problemMediaType]: { schema: ref('schemas', 'Problem'), examples: examplesOf(codes, publicUrl) },
    },
  }
}

const examplesOf = (codes: ErrorCode[], publicUrl: string): Json =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      {
        value: {
          ...describeCode(code, publicUrl),
          instance: '/v1/conversations',
          request_id: 'req_01kah1vgm0e1tbm5ye8n2m9q7c',
          params: {},
          errors: [],
        },
      },
    ]),
  )

const text = (maxLength: number, extra: Json = {}): Json => ({
  type: 'string',
  minLength: 0,
  maxLength,
  pattern: '^[^\\u0000]*$',
  ...extra,
})

const problemSchema: Json = {
  type: 'object',
  description: 'An error (RFC 9457). `code` is stable and what a program should look at.',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'params', 'errors'],
  properties: {
    type: text(500, { format: 'uri', description: 'Where the code is explained.' }),
    title: text(200),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'New codes may be added.' },
    detail: text(20_000),
    instance: text(8192, { description: 'The path of the request.' }),
    request_id: text(64),
    params: { type: 'object', description: 'What varies, for programs.', additionalProperties: true },
    errors: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'detail'],
        properties: {
          pointer: text(8192, { description: 'JSON Pointer (RFC 6901) to a faulty field of the body.' }),
          parameter: text(255, { description: 'Name of a faulty query parameter.' }),
          header: text(255, { description: 'Name of a faulty header.' }),
          code: { type: 'string', enum: fieldErrorCodes },
          detail: text(2000),
        },
      },
    },
  },
}

const keySchema = {
  type: 'string',
  minLength: 1,
  maxLength: 257,
  pattern: '^[\\x20-\\x7e]+$',
  examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
}
const tagSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]+$',
  examples: ['"3"'],
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: 'A fresh UUID for each operation, the same one for its retries; bare or as a quoted string.',
    schema: keySchema,
  },
  OptionalIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Honoured when sent, as on POST.',
    schema: keySchema,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Carry on only if the object still has this `ETag`.',
    schema: tagSchema,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 if the object still has this `ETag`.',
    schema: tagSchema,
  },
  BacklineOperator: {
    name: 'Backline-Operator',
    in: 'header',
    description: 'The operator for whom the client acts.',
    schema: { type: 'string', minLength: 29, maxLength: 29, pattern: '^op_[0-9a-z]{26}$' },
  },
}

const headerNames = {
  RequestId: 'Request-Id',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'Link',
  ETag: 'ETag',
  Location: 'Location',
  IdempotentReplayed: 'Idempotent-Replayed',
  OriginalRequestId: 'Original-Request-Id',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
} as const
type HeaderName = keyof typeof headerNames

const header = (description: string, example: string) => ({
  description,
  schema: text(2048, { examples: [example] }),
})

const headers: Record<HeaderName, Json> = {
  RequestId: header('Names this request in logs and events.', 'req_01kah1vgm0e1tbm5ye8n2m9q7c'),
  RateLimit: header(
    'What is left: `r` requests now, full again in `t` seconds (IETF draft).',
    '"default";r=199;t=1',
  ),
  RateLimitPolicy: header('The allowance: `q` requests in `w` seconds (IETF draft).', '"default";q=200;w=2'),
  Deprecation: header(
    'Since when this version is deprecated (RFC 9745); once a successor is released.',
    '@1767225600',
  ),
  Sunset: header(
    'When this version retires (RFC 8594); from 6 months before.',
    'Fri, 01 Jan 2027 00:00:00 GMT',
  ),
  Link: header(
    'The next page (`rel="next"`), the successor of this version (`rel="successor-version"`).',
    '</v2>; rel="successor-version"',
  ),
  ETag: header('The version, for `If-Match` and `If-None-Match`.', '"3"'),
  Location: header('Where the created object is.', '/v1/conversations/conv_01kah1vgm0e1tbm5ye8n2m9q7c'),
  IdempotentReplayed: header(
    '`true` when this is the stored response of an earlier request; absent without a key.',
    'false',
  ),
  OriginalRequestId: header(
    'On a replay, the request that was carried out.',
    'req_01kah1vgm0e1tbm5ye8n2m9q7c',
  ),
  RetryAfter: header('Seconds to wait before the next attempt.', '1'),
  WwwAuthenticate: header('How to authenticate (RFC 6750).', 'Bearer error="invalid_token"'),
}

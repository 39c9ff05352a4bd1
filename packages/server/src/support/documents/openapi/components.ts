import { errorCatalogue, fieldErrorCodes } from '../../../platform/kernel/errors.ts'
import { Enum, Id, Int, List, Shape, Type } from '../../../platform/resource/schema.ts'

/* Components that all operations share: the error format, request headers and response headers. */

export type Json = Record<string, unknown>

export const ref = (kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Free text of the server or a client; any character is possible. */
const words = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: '^[\\s\\S]*$', ...(description ? { description } : {}) })

const codes = Object.keys(errorCatalogue) as [string, ...string[]]

/** Clients choose pointers and parameter names, so they can be long. */
const maxNameLength = 8192

export const problemSchema = Shape(
  {
    type: Type.String({
      format: 'uri',
      maxLength: 500,
      description: 'The URL of the documentation of the error code.',
    }),
    title: words(200, 'The meaning of the code, the same for every occurrence.'),
    status: Int(400, 599, { description: 'The HTTP status of the response.' }),
    code: Enum(codes, { description: 'A stable, machine-readable error code. New codes may be added.' }),
    detail: words(20_000, 'A human-readable explanation. Every value in it is also in `params` or `errors`.'),
    instance: words(maxNameLength, 'The path of the request.'),
    request_id: words(64, 'The `Request-Id` of the response. Use it to find the request in the log.'),
    params: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'Machine-readable details of this error.',
    }),
    errors: List(
      Type.Object(
        {
          pointer: Type.Optional(
            Type.String({
              format: 'json-pointer',
              maxLength: maxNameLength,
              description: 'The invalid field of the body, as a JSON Pointer (RFC 6901).',
            }),
          ),
          parameter: Type.Optional(
            words(maxNameLength, 'The invalid parameter of the query or of the path.'),
          ),
          header: Type.Optional(words(255, 'The invalid request header.')),
          code: Enum(fieldErrorCodes, { description: 'The kind of fault.' }),
          detail: words(2000, 'The fault in words, to be read after the name of the field.'),
        },
        {
          additionalProperties: false,
          description:
            'One invalid field, identified by `pointer`, `parameter` or `header`; a parameter that is JSON by both `parameter` and `pointer`.',
        },
      ),
      100,
      { description: 'All invalid fields of the request.' },
    ),
  },
  {
    description: 'An error as problem details (RFC 9457). Programs should branch on `code`, which is stable.',
  },
)

const printable = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[\\x20-\\x7e]+$',
})

const trace = { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$', maxLength: 55 }

/** The reference page sends a new key in its place. */
export const exampleKey = '8e03978e-40d5-43e8-bc93-6894a57f9324'

// Only required headers have examples: the reference page adds every header with one to its code samples.
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A unique key for the operation, such as a new UUID. Send the same key with retries. May be sent bare or as a quoted string.',
    schema: printable(257),
    example: exampleKey,
  },
  OptionalIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to retry, as on POST.',
    schema: printable(257),
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Perform the request only if the object still has this `ETag`.',
    schema: printable(255),
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Return 304 if the object still has this `ETag`.',
    schema: printable(255),
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes, such as `bytes=0-1023`. Anything else returns the whole.',
    schema: printable(255),
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description: 'Return the range only if the bytes still have this `ETag`, otherwise the whole.',
    schema: printable(255),
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last message received; the stream resumes after it. Takes precedence over `cursor`.',
    schema: Type.String({ maxLength: 8192, pattern: '^[A-Za-z0-9_-]*$' }),
  },
  BacklineOperator: {
    name: 'Backline-Operator',
    in: 'header',
    description:
      'The operator on whose behalf the request is made. Events and the audit log record both the API key and the operator.',
    schema: Id('op'),
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'The trace to continue (W3C Trace Context).',
    schema: trace,
  },
}

const header = (description: string, example: string, extra: Json = {}) => ({
  description,
  ...extra,
  schema: printable(2048),
  example,
})
const always = { required: true }

/** Response headers by their name on the wire. */
export const headers = {
  'Content-Range': header('The range that is returned.', 'bytes 0-1023/48213'),
  'Accept-Ranges': header('The unit of ranges.', 'bytes'),
  'Content-Disposition': header(
    'Whether the file may be shown inline, and its name (RFC 6266).',
    'inline; filename="receipt.png"',
  ),
  'Request-Id': header(
    'The id of this request, also in logs and events.',
    'req_01kah1vgm0e1tbm5ye8n2m9q7c',
    always,
  ),
  traceparent: {
    description: 'The continued trace. Present if the request had a well-formed `traceparent`.',
    schema: trace,
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  RateLimit: header(
    'The remaining quota: `r` requests now, fully restored in `t` seconds (IETF draft). Absent if rate limiting is off.',
    '"default";r=199;t=1',
  ),
  'RateLimit-Policy': header(
    'The quota: `q` requests in `w` seconds (IETF draft). Absent if rate limiting is off.',
    '"default";q=200;w=2',
  ),
  Deprecation: header(
    'The date this API version was deprecated (RFC 9745). Present once a successor is released.',
    '@1767225600',
  ),
  Sunset: header(
    'The date this API version is retired (RFC 8594). Present from 6 months before.',
    'Fri, 01 Jan 2027 00:00:00 GMT',
  ),
  Vary: header('The response depends on the `Accept` header.', 'accept'),
  Link: header(
    'The next page of a list (`rel="next"`) and the successor of a deprecated API version (`rel="successor-version"`).',
    '<http://127.0.0.1:8080/v2>; rel="successor-version"',
  ),
  ETag: header(
    'The version of the object, for `If-Match` and `If-None-Match`. With `include`, followed by a digest of all that is shown, which `If-Match` ignores. Without a version, a digest, which is weak for `GET /v1/views/counts`.',
    '"3"',
    always,
  ),
  Location: header(
    'The path of the created object.',
    '/v1/conversations/conv_01kah1vgm0e1tbm5ye8n2m9q7c',
    always,
  ),
  'Idempotent-Replayed': header(
    '`true` if this is the stored response of an earlier request. Absent without an `Idempotency-Key`.',
    'false',
  ),
  'Original-Request-Id': header(
    'The `Request-Id` of the original request. Present on replays.',
    'req_01kah1vgm0e1tbm5ye8n2m9q7c',
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', '1'),
  'WWW-Authenticate': header(
    'The required authentication scheme (RFC 6750).',
    'Bearer error="invalid_token"',
    always,
  ),
}

export type HeaderName = keyof typeof headers

/** The `headers` of a response: the given ones and those of every response. */
export const headersOf = (...names: HeaderName[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
})

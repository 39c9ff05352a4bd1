import { errorCatalogue, fieldErrorCodes } from '../../lib/errors.ts'
import { Enum, Id, Int, List, Shape, Type } from '../schema.ts'

/*
 * What all operations share: the shape of an error, the headers of requests and of responses.
 */

export type Json = Record<string, unknown>

export const ref = (kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Text that we write or that a client sent, so any character is possible. */
const words = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: '^[\\s\\S]*$', ...(description ? { description } : {}) })

const codes = Object.keys(errorCatalogue) as [string, ...string[]]

/** How long a pointer or the name of a parameter can get: clients choose them. */
const maxNameLength = 8192

export const problemSchema = Shape(
  {
    type: Type.String({ format: 'uri', maxLength: 500, description: 'Where the code is explained.' }),
    title: words(200),
    status: Int(400, 599),
    code: Enum(codes, { description: 'Stable. New codes may be added.' }),
    detail: words(20_000, 'What is wrong, for a person; every value in it is in `params` or `errors` too.'),
    instance: words(maxNameLength, 'The path of the request.'),
    request_id: words(64, 'The `Request-Id`; it finds the request in the log.'),
    params: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'What varies, for a program.',
    }),
    errors: List(
      Type.Object(
        {
          pointer: Type.Optional(
            Type.String({
              format: 'json-pointer',
              maxLength: maxNameLength,
              description: 'A faulty field of the body (RFC 6901).',
            }),
          ),
          parameter: Type.Optional(words(maxNameLength, 'A faulty query parameter.')),
          header: Type.Optional(words(255, 'A faulty header.')),
          code: Enum(fieldErrorCodes),
          detail: words(2000),
        },
        { additionalProperties: false, description: 'Named by `pointer`, `parameter` or `header`.' },
      ),
      100,
      { description: 'Every faulty field at once.' },
    ),
  },
  { description: 'An error (RFC 9457). `code` is stable and what a program should look at.' },
)

const printable = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[\\x20-\\x7e]+$',
})

const trace = { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$', maxLength: 55 }

// Only what is required has an example: the reference page puts every header with one into its code samples.
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: 'A fresh UUID for each operation, the same one for its retries; bare or as a quoted string.',
    schema: printable(257),
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  OptionalIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Honoured when sent, as on POST.',
    schema: printable(257),
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Carry on only if the object still has this `ETag`.',
    schema: printable(255),
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 if the object still has this `ETag`.',
    schema: printable(255),
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The `id` of the last message that was read: go on after it. It comes before `cursor`.',
    schema: Type.String({ maxLength: 8192, pattern: '^[A-Za-z0-9_-]*$' }),
  },
  BacklineOperator: {
    name: 'Backline-Operator',
    in: 'header',
    description: 'The operator for whom the client acts; events and the audit log then name both.',
    schema: Id('op'),
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'A trace to continue (W3C Trace Context).',
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
  'Request-Id': header('Names this request in logs and events.', 'req_01kah1vgm0e1tbm5ye8n2m9q7c', always),
  traceparent: {
    description: 'The continued trace, when the request had a well-formed one.',
    schema: trace,
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  RateLimit: header(
    'What is left: `r` requests now, full again in `t` seconds (IETF draft). Absent when the limit is off.',
    '"default";r=199;t=1',
  ),
  'RateLimit-Policy': header(
    'The allowance: `q` requests in `w` seconds (IETF draft). Absent when the limit is off.',
    '"default";q=200;w=2',
  ),
  Deprecation: header('When this version was superseded (RFC 9745), once it is.', '@1767225600'),
  Sunset: header(
    'When this version retires (RFC 8594), from 6 months before.',
    'Fri, 01 Jan 2027 00:00:00 GMT',
  ),
  Vary: header('The response depends on the `Accept` header.', 'accept'),
  Link: header(
    'The next page of a list (`rel="next"`), the successor of a retiring version (`rel="successor-version"`).',
    '<http://127.0.0.1:8080/v2>; rel="successor-version"',
  ),
  ETag: header('The version of the object, for `If-Match` and `If-None-Match`.', '"3"', always),
  Location: header(
    'Where the created object is.',
    '/v1/conversations/conv_01kah1vgm0e1tbm5ye8n2m9q7c',
    always,
  ),
  'Idempotent-Replayed': header(
    '`true` when this is the stored response of an earlier request; absent without a key.',
    'false',
  ),
  'Original-Request-Id': header(
    'On a replay, the request that was carried out.',
    'req_01kah1vgm0e1tbm5ye8n2m9q7c',
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', '1'),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).', 'Bearer error="invalid_token"', always),
  Allow: header('The methods of this path.', 'GET, HEAD, POST'),
}

export type HeaderName = keyof typeof headers

/** `headers` of a response that has these and those that every response has. */
export const headersOf = (...names: HeaderName[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
})

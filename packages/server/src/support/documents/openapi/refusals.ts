import { STATUS_CODES } from 'node:http'
import { problemMediaType } from '../../../platform/http/response/problems.ts'
import {
  ApiError,
  type ErrorCode,
  errorCatalogue,
  unavailableReasons,
} from '../../../platform/kernel/errors.ts'
import type { Route } from '../../../platform/resource/resource.ts'
import { exampleOf, problemExample } from '../problem-examples.ts'
import { type HeaderName, headersOf, type Json, ref } from './components.ts'

/** True if the request changes one object, so that `If-Match` applies. */
export const changesOne = (route: Route): boolean =>
  route.kind === 'write' && (route.params !== undefined || route.method !== 'POST')

type Kind = { name: string; has(route: Route): boolean; codes: ErrorCode[] }

/** The errors of each kind of route, from general to special; a route's own `errors` are added. */
const kinds: Kind[] = [
  {
    name: '',
    has: () => true,
    codes: [
      'bad_request',
      'invalid_query',
      'api_key_missing',
      'api_key_invalid',
      'api_key_expired',
      'identity_invalid',
      'scope_missing',
      'address_not_allowed',
      'not_acceptable',
      'version_retired',
      'validation_failed', // for the header Backline-Operator, if there is no body
      'rate_limited',
      'internal_error',
      'unavailable',
    ],
  },
  {
    name: 'Publishable',
    has: (route) => route.credential === 'publishable_key',
    codes: ['origin_not_allowed'],
  },
  { name: 'Item', has: (route) => route.params !== undefined, codes: ['not_found'] },
  {
    name: 'List',
    has: (route) => route.kind === 'list' || route.cursorsOf !== undefined,
    codes: ['cursor_invalid', 'cursor_mismatch'],
  },
  {
    name: 'Write',
    has: (route) => route.kind === 'write',
    codes: [
      'malformed_json',
      'idempotency_key_invalid',
      'idempotency_key_in_use',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
    ],
  },
  {
    name: 'Signal',
    has: (route) => route.kind === 'signal',
    codes: ['malformed_json', 'payload_too_large', 'unsupported_media_type'],
  },
  { name: 'Post', has: (route) => route.method === 'POST', codes: ['idempotency_key_missing'] },
  { name: 'Change', has: changesOne, codes: ['precondition_failed'] },
]

const statusOf = (code: ErrorCode) => errorCatalogue[code][0]
const phraseOf = (status: number) => STATUS_CODES[status]!.replace(/\W/g, '')
/** `already_exists` becomes `AlreadyExists`. */
export const pascal = (code: string) =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
const inOrder = (codes: Iterable<ErrorCode>) => {
  const wanted = new Set(codes)
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => wanted.has(code))
}

/**
 * The error responses of a route. Routes with the same errors share a component. Its name consists of the status, the
 * kind of route if the status depends on it, and the route's own errors: `BadRequest`, `ListBadRequest`, `Conflict`,
 * `ConflictAlreadyExistsOrConversationClosed`.
 */
export function refusalsOf(route: Route, components: Json, publicUrl: string): Json {
  const ofKinds = kinds.filter((kind) => kind.has(route))
  const standard = new Set(ofKinds.flatMap((kind) => kind.codes))
  const own = inOrder(route.errors ?? []).filter((code) => !standard.has(code))
  const byStatus = Map.groupBy(inOrder([...standard, ...own]), statusOf)
  const responses: Json = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    const speaking = ofKinds.filter((kind) => kind.codes.some((code) => statusOf(code) === status))
    // Writes have errors of their own with the same status.
    const nobody = { content: 'Content', read: 'Read', list: 'Read' }[route.kind as string] ?? ''
    const prefix = speaking.length > 1 ? speaking.at(-1)!.name : speaking.length === 0 ? nobody : ''
    const suffix = codes.filter((code) => own.includes(code)).map(pascal)
    const phrase = phraseOf(status)
    const name = `${prefix}${phrase}${suffix.filter((word) => word !== phrase).join('Or')}`
    components[name] ??= refusal(status, codes, publicUrl)
    responses[status] = ref('responses', name)
  }
  const ofRanges = route.kind === 'content' ? { 416: ref('responses', 'RangeNotSatisfiable') } : {}
  return { ...responses, ...refusedByHttp, ...ofRanges }
}

/** Errors of HTTP itself, on any operation. */
export const refusedByHttp = {
  408: ref('responses', 'RequestTimeout'),
  414: ref('responses', 'UriTooLong'),
  431: ref('responses', 'RequestHeaderFieldsTooLarge'),
}

/** Statuses that are sent before the rate limit is checked (contract 1.3.2), without its headers. */
const beforeRateLimit = new Set([401, 410])

const extraHeaders: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

export function refusal(status: number, codes: ErrorCode[], publicUrl: string): Json {
  const limits: HeaderName[] = beforeRateLimit.has(status) ? [] : ['RateLimit', 'RateLimit-Policy']
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCatalogue[code][1]}.`).join('\n'),
    ...headersOf(
      'Request-Id',
      'traceparent',
      ...limits,
      'Deprecation',
      'Sunset',
      'Link',
      ...(extraHeaders[status] ?? []),
    ),
    content: {
      [problemMediaType]: {
        schema: problemWith(codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: problemExample(exampleOf(code), publicUrl) }]),
        ),
      },
    },
  }
}

const problemWith = (codes: ErrorCode[]): Json => ({
  allOf: [
    ref('schemas', 'Problem'),
    {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: codes,
          description: 'The error codes of this response. New ones may be added.',
        },
        ...(codes.includes('unavailable') ? { params: paramsOfUnavailable } : {}),
      },
    },
  ],
})

const paramsOfUnavailable: Json = {
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      enum: unavailableReasons,
      description: 'Why the server cannot answer now. New reasons may be added.',
    },
    retry_after_seconds: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 86_400,
      description: 'The value of `Retry-After`.',
    },
  },
}

/** Sent before the request reaches an operation, so without most headers. */
export const refusalsOfHttp = (publicUrl: string): Json => ({
  RequestTimeout: refusalOfHttp(408, 'The request took longer than 30 seconds to arrive.', publicUrl),
  RangeNotSatisfiable: refusalOfHttp(416, 'The file has 48213 bytes.', publicUrl),
  UriTooLong: refusalOfHttp(414, 'The URL is longer than 8192 bytes.', publicUrl),
  RequestHeaderFieldsTooLarge: refusalOfHttp(431, 'The headers are larger than 16 KiB.', publicUrl),
})

function refusalOfHttp(status: number, detail: string, publicUrl: string): Json {
  const value = problemExample(new ApiError('bad_request', {}, { status, detail }), publicUrl)
  return {
    description: `\`bad_request\`: ${detail}`,
    ...headersOf('Request-Id', 'traceparent'),
    content: {
      [problemMediaType]: { schema: problemWith(['bad_request']), examples: { bad_request: { value } } },
    },
  }
}

/** Every error code of the API with its status, its title and what it means: the one place that knows them. */
export const errorCatalogue = {
  bad_request: [
    400,
    'The request cannot be served',
    'The request is not HTTP that this server can serve: broken framing, bad percent-encoding, a header block over 16 KiB (431) or a URL over 8 KiB (414).',
  ],
  malformed_json: [
    400,
    'The body is not JSON',
    'The body must be JSON in UTF-8. `params.position` names the place where reading failed, when it is known.',
  ],
  invalid_query: [
    400,
    'The query string is not valid',
    'A query parameter is unknown or has a value that is not allowed. `errors` names each by `parameter`.',
  ],
  cursor_invalid: [
    400,
    'The cursor is not valid',
    'The cursor was not made by this server, or was changed on the way. Start again without one.',
  ],
  cursor_mismatch: [
    400,
    'The cursor belongs to another list',
    'A cursor continues only the list it came from: the same route, filters, sort and environment.',
  ],
  idempotency_key_missing: [
    400,
    'An Idempotency-Key is required',
    'Every POST needs an `Idempotency-Key` header, 1 to 255 printable ASCII characters. Use a fresh UUID for each operation and the same one for its retries.',
  ],
  idempotency_key_invalid: [
    400,
    'The Idempotency-Key is not valid',
    'The header must be sent once and hold 1 to 255 printable ASCII characters, bare or as a quoted string.',
  ],
  api_key_missing: [401, 'An API key is required', 'Send `Authorization: Bearer <API key>`.'],
  api_key_invalid: [401, 'The API key is not valid', 'The key is mistyped, unknown or revoked.'],
  api_key_expired: [
    401,
    'The API key has expired',
    'The key, or the former secret of a rotated key, is past its time.',
  ],
  scope_missing: [403, 'The API key lacks a scope', '`params.scope` is the scope that this request needs.'],
  address_not_allowed: [
    403,
    'The API key may not be used from this address',
    'The key has `allowed_cidrs` and the request came from an address outside them.',
  ],
  not_found: [404, 'Not found', 'There is no such route, or no object with this id that this key can see.'],
  method_not_allowed: [
    405,
    'The method is not allowed',
    'The `Allow` header and `params.allowed` list the methods of this path.',
  ],
  not_acceptable: [
    406,
    'No acceptable media type',
    'The `Accept` header excludes every media type that this route offers (`params.available`).',
  ],
  already_exists: [
    409,
    'It already exists',
    'Another object has this unique value. `params.field` names the field, `params.id` the object where the key may see it.',
  ],
  resource_in_use: [
    409,
    'The object is in use',
    'Other objects refer to it, so it cannot be deleted. `params.hint` says what to do instead.',
  ],
  invalid_transition: [
    409,
    'The action is not possible in this state',
    '`params.from` is the present status, `params.action` what was asked and `params.allowed` what is possible now.',
  ],
  conversation_closed: [
    409,
    'The conversation is closed',
    'A closed conversation takes only internal notes, metadata, tags and read marks.',
  ],
  already_assigned: [
    409,
    'The conversation is already assigned',
    'Somebody else has claimed it; `params.assignee_id` says who.',
  ],
  idempotency_key_in_use: [
    409,
    'The first request with this key is still running',
    'Send the same request again after `Retry-After` seconds; it will be executed or replayed, never doubled.',
  ],
  version_retired: [
    410,
    'This API version is retired',
    'The version has passed its `Sunset` date. `Link` names its successor.',
  ],
  precondition_failed: [
    412,
    'The object has changed',
    '`If-Match` names another version than the present one, which `ETag` tells. Read it again and decide.',
  ],
  payload_too_large: [413, 'The body is too large', 'A body may have up to `params.limit_bytes` bytes.'],
  unsupported_media_type: [415, 'The media type is not supported', 'Send one of `params.supported`.'],
  validation_failed: [
    422,
    'The request body is not valid',
    '`errors` names every faulty field at once: `pointer` in the body, or `header`.',
  ],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for another request',
    'This key has already carried out a request with another method, path, query or body (`params.original_request_id`). Use a new key.',
  ],
  template_variable_missing: [
    422,
    'A template variable has no value',
    '`params.variables` lists the variables without a value.',
  ],
  rate_limited: [
    429,
    'Too many requests',
    'The key has used up its allowance; try again after `Retry-After` seconds.',
  ],
  internal_error: [
    500,
    'Something went wrong here',
    'A defect in the server. Nothing was stored; `request_id` finds it in the log.',
  ],
  unavailable: [
    503,
    'Not available right now',
    'The database is away, or the server has too much to do or is shutting down. Nothing is known to be stored: send the same request with the same Idempotency-Key after `Retry-After` seconds.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, meaning: string]>

export type ErrorCode = keyof typeof errorCatalogue

/** What a field can have wrong; the closed list of `errors[].code`. */
export const fieldErrorCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'not_allowed',
  'bad_format',
  'not_found',
] as const

export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** One faulty field: exactly one of `pointer` (JSON Pointer, RFC 6901), `parameter` and `header` names it. */
export type FieldError = { code: FieldErrorCode; detail: string } & (
  | { pointer: string }
  | { parameter: string }
  | { header: string }
)

export type ErrorDetails = {
  /** One sentence for a person; every value in it is also in `params` or `errors`. */
  detail?: string
  errors?: FieldError[]
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>
  /** Where HTTP has a finer status than the catalogue's: 414 and 431 of `bad_request`. */
  status?: number
  cause?: unknown
}

/** An error that the client is told: a code of the catalogue and what varies. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly params: Record<string, unknown>
  readonly details: ErrorDetails

  constructor(code: ErrorCode, params: Record<string, unknown> = {}, details: ErrorDetails = {}) {
    super(details.detail ?? errorCatalogue[code][1], { cause: details.cause })
    this.code = code
    this.params = params
    this.details = details
  }

  get status(): number {
    return this.details.status ?? errorCatalogue[this.code][0]
  }
}

/** 422 for faults that a schema cannot see: references, and rules between fields. */
export const invalidBody = (...errors: FieldError[]) =>
  new ApiError('validation_failed', {}, { detail: countFields(errors.length), errors })

export const countFields = (count: number) =>
  count === 1 ? '1 field needs your attention.' : `${count} fields need your attention.`

import { detailOf } from './error-details.ts'

/** The catalogue of all error codes of the API with status, title and meaning. */
export const errorCatalogue = {
  bad_request: [
    400,
    'Malformed request',
    'The request is not valid HTTP: its framing or percent-encoding is broken, its headers exceed 16 KiB (431) or its URL exceeds 8 KiB (414).',
  ],
  malformed_json: [
    400,
    'The body cannot be read as JSON',
    'The body must be JSON in UTF-8, and no object in it may have two members with the same name. `params.position` is where parsing failed, if known; `max_levels`, `max_members` (of one object) or `max_values` in `params` is there if the body is nested more deeply, or has more members and items.',
  ],
  invalid_query: [
    400,
    'The query string is not valid',
    'A query parameter is unknown or has an invalid value. `errors` lists each one with its `parameter`.',
  ],
  cursor_invalid: [
    400,
    'The cursor is not valid',
    'The cursor was not issued by this server, was modified, or refers to events that are no longer kept. Start again without a cursor.',
  ],
  cursor_mismatch: [
    400,
    'The cursor belongs to another list',
    'A cursor is valid only for the list that returned it, with the same route, filters, sort and environment.',
  ],
  idempotency_key_missing: [
    400,
    'An Idempotency-Key is required',
    'Every POST requires an `Idempotency-Key` header of 1 to 255 printable ASCII characters. Use a new UUID for each operation and the same key for its retries.',
  ],
  idempotency_key_invalid: [
    400,
    'The Idempotency-Key is not valid',
    'Send the `Idempotency-Key` header once, with 1 to 255 printable ASCII characters, bare or as a quoted string.',
  ],
  api_key_missing: [401, 'An API key is required', 'Send `Authorization: Bearer <API key>`.'],
  api_key_invalid: [401, 'The API key is not valid', 'The API key is mistyped, unknown or revoked.'],
  api_key_expired: [
    401,
    'The API key has expired',
    'The expiry time of the API key has passed, or the request used the previous secret of a rotated key after its grace period.',
  ],
  identity_invalid: [
    401,
    'The identity is not proven',
    'A publishable key, end-user token or JWT does not prove what it claims. `params.reason` says why. Of keys and tokens: `malformed`, `unknown`, `expired`, `revoked`. Of JWTs: `malformed`, `unknown_key`, `signature`, `expired`, `not_yet_valid`, `lifetime`, `audience`, `issuer`, `claims`.',
  ],
  console_session_invalid: [
    401,
    'Nobody has signed in to the console',
    'The cookie or the one-time link gives no session of the console. `params.reason` says why: `missing`, `malformed`, `unknown`, `expired`, `revoked`, `used` (a link works once), or `no_operator` (no operator has the e-mail address).',
  ],
  scope_missing: [
    403,
    'The credential does not permit this request',
    'The API key, or the role of the operator in the console, lacks the scope in `params.scope`, or the route takes another credential, which `credential` in `params` names: `secret_key`, `publishable_key` or `end_user_token`, or the operator for whom the request acts needs the role that `role` in `params` names. An end-user token that is bound to one conversation permits nothing beyond it.',
  ],
  address_not_allowed: [
    403,
    'The API key cannot be used from this address',
    'The request came from an address outside the `allowed_cidrs` of the API key.',
  ],
  origin_not_allowed: [
    403,
    'The credential cannot be used from this origin',
    'The `Origin` of the request, `params.origin`, is not one of the `allowed_origins` of the publishable key. A session of the console takes requests of its own origin alone.',
  ],
  end_user_blocked: [
    403,
    'The end user is blocked',
    'Somebody blocked the end user: conversations and messages of the end user are refused, and it gets no session, until the block ends. Operators can still write.',
  ],
  not_permitted: [
    403,
    'The workspace does not permit this to end users',
    'A setting of the workspace, `params.setting`, denies it.',
  ],
  not_found: [
    404,
    'Not found',
    'There is no object with this id that the API key can access, or nothing at this path outside the API. `params.environment` is the environment of the key: objects of the other one cannot be accessed. `is_id` in `params` is false if the path has a text in place of an id.',
  ],
  route_not_found: [
    404,
    'No such route',
    'No route has this path. `params.suggestion` is the path that was probably meant, or null.',
  ],
  method_not_allowed: [
    405,
    'The method is not allowed',
    'This path does not support the method. The `Allow` header and `params.allowed` list the methods it supports.',
  ],
  not_acceptable: [
    406,
    'No acceptable media type',
    'The `Accept` header excludes all media types of this route. `params.available` lists them.',
  ],
  already_exists: [
    409,
    'The object already exists',
    'Another object has the same value in a unique field. `params.field` is the field; `params.id` is the other object, if the API key can access it.',
  ],
  identity_conflict: [
    409,
    'The identities cannot become one',
    '`params.reason` is `merged` or `erased` (this end user was merged into another one, or erased, and cannot be changed), `two_external_ids` (both have an external id; `keep_alias` keeps the second as an alias) or `target_unverified` (a verified end user cannot be merged into an unverified one).',
  ],
  resource_in_use: [
    409,
    'The object is in use',
    'The object cannot be deleted because other objects refer to it. `params.hint` suggests an alternative, `archive` or `block_or_merge`, or is null.',
  ],
  invalid_transition: [
    409,
    'The action is not possible in the current status',
    '`params.from` is the current status, `params.action` the requested action, and `params.allowed` the actions that are possible.',
  ],
  conversation_closed: [
    409,
    'The conversation is closed',
    'A closed conversation accepts only internal notes, metadata, tags and read marks.',
  ],
  already_assigned: [
    409,
    'The conversation is already assigned',
    'Another operator is assigned to the conversation: `params.assignee_id`.',
  ],
  legal_hold: [
    409,
    'A legal hold forbids this',
    'The end user is under a legal hold: nothing of it may be deleted or erased until the hold ends. `params.end_user_id` is the end user.',
  ],
  job_running: [
    409,
    'A job is still running',
    'The request waits for a job that has not ended: `params.job_id`. Send it again when the job has ended.',
  ],
  idempotency_key_in_use: [
    409,
    'The first request with this key is still in progress',
    'Send the same request again after `Retry-After` seconds. The operation is never performed twice.',
  ],
  version_retired: [
    410,
    'This API version is retired',
    'The `Sunset` date of this API version has passed, and the server has its successor, to which the `Link` header refers.',
  ],
  precondition_failed: [
    412,
    'The object has changed',
    '`If-Match` does not match the current version, which is in `ETag` and `params.etag`; null if there is no object. `unquoted` in `params` is true if the header has an ETag without its quotes. Read the object again before changing it.',
  ],
  file_not_ready: [
    409,
    'The file is not ready',
    "The file's bytes have not been uploaded yet, or its scan has not ended. `params.status` is the status of the file.",
  ],
  file_rejected: [
    409,
    'The file was rejected',
    "The file's bytes were refused: `params.reason` is its `rejected_reason`. Create another file.",
  ],
  view_broken: [
    409,
    'The view is broken',
    "The view's filter names something that no longer exists, such as a custom field. `params.pointer` is the part of the filter. Give the view another filter, or create the field again.",
  ],
  payload_too_large: [413, 'The body is too large', 'A body can have at most `params.limit_bytes` bytes.'],
  unsupported_media_type: [
    415,
    'The media type is not supported',
    'Send the body in one of the media types in `params.supported`, unencoded. `encoding` in `params` is the refused `Content-Encoding`, if there is one.',
  ],
  validation_failed: [
    422,
    'The request is not valid',
    '`errors` lists the invalid fields, each with its `pointer` in the body or its `header`: all of them, or at most 100 with `has_more_errors` in `params`. Whether objects to which the body refers exist is judged once nothing else is invalid.',
  ],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for another request',
    'A request with another method, path, query or body has used this key: `params.original_request_id`. Use a new key.',
  ],
  template_variable_missing: [
    422,
    'A template variable has no value',
    'The template uses variables that have no value. `params.variables` lists them.',
  ],
  rate_limited: [
    429,
    'Too many requests',
    'A limit is exceeded. `params.counted` is what it counts: `requests`, `unknown_credentials`, `sessions` (attempts to start one), `end_user_writes` (conversations and messages), `console_sign_ins` or `unused_files`. `params.per` is whom it counts for: `api_key`, `end_user`, `console_session` or `network` (the client address). `params.setting` is the setting of the server that changes it, or null. Try again after `Retry-After` seconds.',
  ],
  internal_error: [
    500,
    'Internal error',
    'The server failed unexpectedly, and nothing was stored. Use `request_id` to find the error in the server log.',
  ],
  unavailable: [
    503,
    'Service unavailable',
    'The server cannot do this now. `params.reason` says why: `database_unavailable`, `file_store_unavailable`, `overloaded`, `shutting_down`, `unread_responses` (clients have not read the responses that wait for them), `too_many_streams`, `too_many_at_once` (as many requests of this kind run as the server, the environment or the credential may have), or of `/readyz` `migration_missing`. A change may or may not have been stored: send the same request with the same `Idempotency-Key` after `Retry-After` seconds.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, meaning: string]>

export type ErrorCode = keyof typeof errorCatalogue

/** The codes of invalid fields: the closed list of `errors[].code`. */
export const fieldErrorCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'blank',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'not_allowed',
  'bad_format',
  'not_found',
] as const

export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/**
 * An invalid field. Exactly one of `pointer` (JSON Pointer, RFC 6901), `parameter` and `header` names it. If the
 * parameter is JSON, `pointer` names the part of it.
 */
export type FieldError = { code: FieldErrorCode; detail: string } & (
  | { pointer: string }
  | { parameter: string; pointer?: string }
  | { header: string }
)

export type ErrorDetails = {
  /** One sentence for readers; all its values are also in `params` or `errors`. */
  detail?: string
  errors?: FieldError[]
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>
  /** A more specific status than that of the catalogue: 414 and 431 for `bad_request`. */
  status?: number
  cause?: unknown
}

/** An error that the client receives: a code of the catalogue with its parameters. Its message is the `detail`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly params: Record<string, unknown>
  readonly details: ErrorDetails

  constructor(code: ErrorCode, params: Record<string, unknown> = {}, details: ErrorDetails = {}) {
    super(details.detail ?? detailOf(code, params, details.errors) ?? errorCatalogue[code][2], {
      cause: details.cause,
    })
    this.code = code
    this.params = params
    this.details = details
  }

  get status(): number {
    return this.details.status ?? errorCatalogue[this.code][0]
  }
}

/** 422 for errors that a schema cannot detect: references, and rules between fields. */
export const invalidBody = (...errors: FieldError[]) => new ApiError('validation_failed', {}, { errors })

/** 401, for keys. */
export const unauthorized = (code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired') =>
  new ApiError(code, {}, { headers: { 'www-authenticate': 'Bearer' } })

/** The reasons of a 503: the closed list of `params.reason` of `unavailable`. */
export const unavailableReasons = [
  'database_unavailable',
  'file_store_unavailable',
  'overloaded',
  'shutting_down',
  'unread_responses',
  'too_many_streams',
  'too_many_at_once',
  'migration_missing',
] as const

export type UnavailableReason = (typeof unavailableReasons)[number]

/** 503. The server logs the cause. */
export const unavailable = (
  reason: UnavailableReason,
  {
    retryAfterSeconds = 1,
    ...details
  }: Pick<ErrorDetails, 'cause' | 'detail'> & { retryAfterSeconds?: number } = {},
) =>
  new ApiError(
    'unavailable',
    { reason, retry_after_seconds: retryAfterSeconds },
    { headers: { 'retry-after': String(retryAfterSeconds) }, ...details },
  )

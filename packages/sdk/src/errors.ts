import type { File, MeFile, Problem } from './types.generated.ts'

/** Errors that arise in the client have these codes; errors of the API have its own. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_response'
  | 'not_modified'
  | 'signature_invalid'

/**
 * The base of all errors of this package. Each kind has a class of its own, whose `code` is a union of literals.
 * A request that is aborted by its `signal` throws the signal's reason instead.
 */
export class BacklineError extends Error {
  override name = 'BacklineError'
  /** A stable code: branch on it, not on the message. */
  readonly code: Problem['code'] | ClientErrorCode

  constructor(code: BacklineError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** An error of the API. `ConflictError`, `NotFoundError` and others extend it, one for each kind. */
export class ApiError<Code extends Problem['code'] = Problem['code']> extends BacklineError {
  override name = 'ApiError'
  declare readonly code: Code
  /** The whole error (RFC 9457). */
  readonly problem: Problem & { code: Code }
  readonly headers: Headers

  constructor(problem: Problem, headers: Headers) {
    super(problem.code, `${problem.code}: ${sentenceOf(problem)} (${problem.request_id})`)
    this.problem = problem as Problem & { code: Code }
    this.headers = headers
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status
  }

  /** The `Request-Id` of the response, to find the request in the server's log. */
  get requestId(): string {
    return this.problem.request_id
  }

  /** All invalid fields of the request; empty for other errors. */
  get errors(): Problem['errors'] {
    return this.problem.errors
  }

  /** The values that the message is about, such as the `allowed` actions. */
  get params(): Problem['params'] {
    return this.problem.params
  }
}

/** The detail, and the first invalid field unless the detail names it. */
function sentenceOf({ detail, errors: [first] }: Problem): string {
  if (!first) return detail
  const field = (first.pointer ?? first.parameter ?? first.header ?? '').replace(/^\//, '')
  return detail.includes(field) ? detail : `${detail} ${field}: ${first.detail}`
}

/** The server could not be reached, or the connection was lost. `cause` is the error of `fetch`. */
export class ConnectionError extends BacklineError {
  override name = 'ConnectionError'
  declare readonly code: 'connection_failed' | 'timeout'

  constructor(message: string, options?: ErrorOptions, code: ConnectionError['code'] = 'connection_failed') {
    super(code, message, options)
  }
}

/** `fetch` of Node has the reason in `cause`, that of browsers has none. */
export function connectionErrorOf(error: unknown, url: string): ConnectionError {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
  const reason = cause?.message || cause?.code || message || String(error)
  return new ConnectionError(`The connection to ${new URL(url).origin} failed: ${reason}`, { cause: error })
}

/** An attempt took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
  declare readonly code: 'timeout'

  constructor(message: string) {
    super(message, undefined, 'timeout')
  }
}

/** The response is not one of the API, such as HTML of a proxy or of another server at `baseUrl`. */
export class UnexpectedResponseError extends BacklineError {
  override name = 'UnexpectedResponseError'
  declare readonly code: 'unexpected_response'
  readonly status: number
  readonly headers: Headers

  constructor(message: string, { status, headers }: Response) {
    super('unexpected_response', message)
    this.status = status
    this.headers = headers
  }
}

/** The object still has the ETag given as `ifNoneMatch` (304). */
export class NotModifiedError extends BacklineError {
  override name = 'NotModifiedError'
  declare readonly code: 'not_modified'
  readonly status = 304
  readonly headers: Headers

  constructor({ headers }: Response) {
    super('not_modified', 'The object has not changed.')
    this.headers = headers
  }
}

/** The bytes of an upload were refused: `file.rejected_reason` says why. The file cannot be used. */
export class FileRejectedError extends BacklineError {
  override name = 'FileRejectedError'
  declare readonly code: 'file_rejected'
  readonly file: File | MeFile

  constructor(file: File | MeFile) {
    super('file_rejected', `${file.filename} was rejected: ${file.rejected_reason} (${file.id})`)
    this.file = file
  }
}

/** The request did not come from Backline, or not within the last minutes: respond with 400 and ignore it. */
export class WebhookVerificationError extends BacklineError {
  override name = 'WebhookVerificationError'
  declare readonly code: 'signature_invalid'

  constructor(message: string) {
    super('signature_invalid', message)
  }
}

import { type ApiError, type ErrorCode, errorCatalogue, type FieldError } from '../../kernel/errors.ts'

export const problemMediaType = 'application/problem+json'

export type Problem = {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail: string
  instance: string
  request_id: string
  params: Record<string, unknown>
  errors: FieldError[]
}

/** The body of every error (RFC 9457). */
export function problem(error: ApiError, publicUrl: string, instance: string, requestId: string): Problem {
  return {
    type: `${publicUrl}/problems/${error.code}`,
    title: errorCatalogue[error.code][1],
    status: error.status,
    code: error.code,
    detail: error.message,
    instance,
    request_id: requestId,
    params: error.params,
    errors: error.details.errors ?? [],
  }
}

/** The JSON response of `GET /problems/{code}`. */
export const describeCode = (code: ErrorCode, publicUrl: string) => {
  const [status, title, meaning] = errorCatalogue[code]
  return { type: `${publicUrl}/problems/${code}`, code, status, title, detail: meaning }
}

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorCatalogue, text)

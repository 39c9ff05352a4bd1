import * as kinds from './errors.generated.ts'
import { ApiError, type BacklineError, NotModifiedError, UnexpectedResponseError } from './errors.ts'
import type { Request } from './request.ts'
import type { Problem } from './types.generated.ts'

type Sent = Pick<Request, 'method' | 'url' | 'headers'>

/**
 * Reads the body of a response: JSON, text if the request asks for text, undefined if there is none.
 * @throws UnexpectedResponseError for another body
 */
export async function readBody(response: Response, request: Sent): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  if (request.headers.get('accept')!.startsWith('text/')) return text
  return jsonOf(response, text, 'application/json') ?? raise(response, text, request)
}

/** Returns the response. @throws UnexpectedResponseError unless it has the media type that the request asks for */
export async function expectMediaType(response: Response, request: Sent): Promise<Response> {
  if (mediaTypeOf(response) === request.headers.get('accept')) return response
  return raise(response, await response.text(), request)
}

/** Returns the error that a response other than 2xx stands for. */
export async function refusalOf(response: Response, request: Sent): Promise<BacklineError> {
  if (response.status === 304) return new NotModifiedError(response)
  const text = await response.text()
  const problem = jsonOf(response, text, 'application/problem+json')
  return isOfApi(problem) ? apiErrorOf(problem, response.headers) : unexpected(response, text, request)
}

/** Gateways send problems of their own, without the members that the API adds (RFC 9457, section 3.2). */
function isOfApi(problem: unknown): problem is Problem {
  const { code, params, errors } = (problem ?? {}) as Partial<Problem>
  return typeof code === 'string' && typeof params === 'object' && params !== null && Array.isArray(errors)
}

/** A code of a newer server has the class of its status. */
function apiErrorOf(problem: Problem, headers: Headers): ApiError {
  const classes = Object.values(kinds)
  const Kind =
    classes.find(({ codes }) => codes.includes(problem.code)) ??
    classes.find(({ status }) => status === problem.status) ??
    ApiError
  return new Kind(problem, headers)
}

const mediaTypeOf = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()

/** Undefined if the body is of another media type, or no JSON. */
function jsonOf(response: Response, text: string, mediaType: string): unknown {
  if (mediaTypeOf(response) !== mediaType) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function raise(...about: [Response, string, Sent]): never {
  throw unexpected(...about)
}

function unexpected(
  response: Response,
  text: string,
  { method, url, headers: sent }: Sent,
): UnexpectedResponseError {
  const { status, type, headers } = response
  const location = headers.get('location')
  const answer =
    type === 'opaqueredirect' || (status >= 300 && status < 400)
      ? `was redirected${location ? ` to ${location}` : ''}`
      : `was answered with ${status} and ${mediaTypeOf(response) || 'no media type'}${excerptOf(text)}`
  // A request without a credential is an upload.
  const advice = sent.has('authorization')
    ? 'This is not a response of Backline: check baseUrl, and proxies before the server.'
    : 'The server or the store of files did not take the upload.'
  return new UnexpectedResponseError(`${method} ${url} ${answer}. ${advice}`, response)
}

/** The first words of a page without its tags, as `: "…"`. */
function excerptOf(html: string): string {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? '' : `: "${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`
}

import { isErrorCode, type Problem, problemMediaType } from '@backline/server/platform/http/problems.ts'
import { type Dispatcher, request } from 'undici'
import { CommandError } from '../errors.ts'

export type Source = {
  /** The URL of the server. */
  url: string
  key: string
  /** Names of event types; undefined for all. */
  types: string[] | undefined
  /** The cursor to start after; undefined to start with new events. */
  since: string | undefined
}

type Response = Dispatcher.ResponseData

const answerMs = 30_000

/**
 * Opens `GET /v1/events/stream`.
 * @param lastEventId the last id of a stream that was lost
 * @param silentMs the body ends with an error after this time without data
 * @throws CommandError if a retry is useless, other errors otherwise
 */
export async function connect(
  { url, key, types, since }: Source,
  lastEventId: string | null,
  signal: AbortSignal,
  silentMs: number,
): Promise<Response['body']> {
  const stream = new URL(`${url}/v1/events/stream`)
  if (types !== undefined) stream.searchParams.set('types', types.join(','))
  if (since !== undefined) stream.searchParams.set('cursor', since)
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const response = await request(stream, {
    headers: lastEventId === null ? headers : { ...headers, 'last-event-id': lastEventId },
    signal,
    headersTimeout: answerMs,
    bodyTimeout: silentMs,
    reset: true, // an earlier connection could be dead
  })
  if (response.statusCode !== 200) throw await refusalOf(url, response)
  if (!mediaTypeOf(response).startsWith('text/event-stream')) {
    letGo(response)
    throw new CommandError(
      'unavailable',
      `${url} did not return an event stream; check that it is the address of a Backline server`,
    )
  }
  return response.body
}

const mediaTypeOf = ({ headers }: Response): string => String(headers['content-type'] ?? '')

async function refusalOf(url: string, response: Response): Promise<Error> {
  const { statusCode: status } = response
  const problem = await problemOf(response)
  const said = problem ? `: ${sentenceOf(problem)}` : ''
  if (status >= 500 || status === 429) return new Error(`the server returned ${status}${said}`)
  const code = problem && isErrorCode(problem.code) ? problem.code : 'unavailable'
  return new CommandError(
    code,
    `${url} returned ${status}${said || '; check that it is the address of a Backline server'}`,
  )
}

async function problemOf(response: Response): Promise<Problem | null> {
  if (mediaTypeOf(response).startsWith(problemMediaType)) return (await response.body.json()) as Problem
  letGo(response)
  return null
}

/** undici reports an error of the body if it is discarded. */
const letGo = ({ body }: Response) => body.on('error', () => undefined).destroy()

const optionOf: Record<string, string> = { types: '--events', cursor: '--since' }

/** Errors of a parameter are reported for the option of the parameter. */
const sentenceOf = ({ detail, errors }: Problem): string =>
  errors
    .map((fault) => {
      const parameter = 'parameter' in fault ? fault.parameter : ''
      return `${optionOf[parameter] ?? parameter} ${fault.detail}`
    })
    .join('; ') || detail

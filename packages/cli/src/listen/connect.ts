import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { isErrorCode, type Problem, problemMediaType } from '@backline/server/platform/http/problems.ts'
import { CommandError } from '../errors.ts'
import { answerTo } from './request.ts'

export type Source = {
  /** The URL of the server. */
  url: string
  key: string
  /** Names of event types; undefined for all. */
  types: string[] | undefined
  /** The cursor to start after; undefined to start with new events. */
  since: string | undefined
}

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
): Promise<IncomingMessage> {
  const stream = new URL(`${url}/v1/events/stream`)
  if (types !== undefined) stream.searchParams.set('types', types.join(','))
  if (since !== undefined) stream.searchParams.set('cursor', since)
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const response = await answerTo(stream, {
    headers: lastEventId === null ? headers : { ...headers, 'last-event-id': lastEventId },
    signal,
  })
  if (response.statusCode !== 200) throw await refusalOf(url, response)
  if (!mediaTypeOf(response).startsWith('text/event-stream')) {
    response.destroy()
    throw new CommandError(
      'unavailable',
      `${url} did not return an event stream; check that it is the address of a Backline server`,
    )
  }
  response.setTimeout(silentMs, () => {
    // Unread data in the buffer may prevent further data from arriving.
    if (response.readableLength > 0) response.setTimeout(silentMs)
    else response.destroy(new Error(`no data received for ${silentMs / 1000} s`))
  })
  return response
}

const mediaTypeOf = ({ headers }: IncomingMessage): string => String(headers['content-type'] ?? '')

async function refusalOf(url: string, response: IncomingMessage): Promise<Error> {
  const status = response.statusCode!
  const problem = await problemOf(response)
  const said = problem ? `: ${sentenceOf(problem)}` : ''
  if (status >= 500 || status === 429) return new Error(`the server returned ${status}${said}`)
  const code = problem && isErrorCode(problem.code) ? problem.code : 'unavailable'
  return new CommandError(
    code,
    `${url} returned ${status}${said || '; check that it is the address of a Backline server'}`,
  )
}

async function problemOf(response: IncomingMessage): Promise<Problem | null> {
  if (mediaTypeOf(response).startsWith(problemMediaType)) return (await json(response)) as Problem
  response.destroy()
  return null
}

const optionOf: Record<string, string> = { types: '--events', cursor: '--since' }

/** Errors of a parameter are reported for the option of the parameter. */
const sentenceOf = ({ detail, errors }: Problem): string =>
  errors
    .map((fault) => {
      const parameter = 'parameter' in fault ? fault.parameter : ''
      return `${optionOf[parameter] ?? parameter} ${fault.detail}`
    })
    .join('; ') || detail

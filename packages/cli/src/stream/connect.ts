import { ApiError, UnexpectedResponseError } from '@backline/sdk/errors.ts'
import { expectMediaType } from '@backline/sdk/responses.ts'
import { attempt } from '@backline/sdk/transport.ts'
import { notBackline } from '../api/client.ts'
import { sentenceOf } from '../api/problem.ts'
import { CommandError } from '../errors.ts'

export type Source = {
  /** The URL of the server. */
  url: string
  key: string
  /** Names of event types; undefined for all. */
  types: string[] | undefined
  /** The cursor to start after; undefined to start with new events. */
  since: string | undefined
  /** The id of the conversation whose events, and those of whose messages, are streamed; undefined for all. */
  conversation?: string | undefined
  /** The options of the parameters, for errors. */
  optionOf: { types: string; cursor: string; conversation_id?: string }
}

/**
 * Opens `GET /v1/events/stream`.
 * @param lastEventId the last id of a stream that was lost
 * @param timeoutMs for the header of the response
 * @throws CommandError if a retry is useless, other errors otherwise
 */
export async function connect(
  source: Source,
  lastEventId: string | null,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Response> {
  const { url, key, types, since, conversation } = source
  const stream = new URL(`${url}/v1/events/stream`)
  if (types !== undefined) stream.searchParams.set('types', types.join(','))
  if (conversation !== undefined) stream.searchParams.set('conversation_id', conversation)
  // An empty cursor, such as that of an unset variable, is the beginning of the feed.
  if (since === '') throw new CommandError('cursor_invalid', '--since must be a cursor, and is empty')
  if (since !== undefined) stream.searchParams.set('cursor', since)
  const headers = new Headers({ authorization: `Bearer ${key}`, accept: 'text/event-stream' })
  if (lastEventId !== null) headers.set('last-event-id', lastEventId)
  const request = { method: 'GET', url: stream.href, headers, body: undefined, mayBeElsewhere: false }
  try {
    return await attempt(request, { fetch, signal, timeoutMs }, (response) =>
      expectMediaType(response, request),
    )
  } catch (error) {
    throw refusalOf(source, error)
  }
}

function refusalOf({ url, optionOf }: Source, error: unknown): unknown {
  if (!(error instanceof ApiError || error instanceof UnexpectedResponseError)) return error
  const { status } = error
  const nameOf = (parameter: string) => optionOf[parameter as keyof typeof optionOf] ?? parameter
  const said = error instanceof ApiError ? `: ${sentenceOf(error.problem, nameOf)}` : ''
  if (status >= 500 || status === 429) return new Error(`the server returned ${status}${said}`)
  const fault = status === 200 ? 'did not return an event stream; ' : `returned ${status}${said || '; '}`
  const code = error instanceof ApiError ? error.code : 'unavailable'
  return new CommandError(code, `${url} ${fault}${said ? '' : notBackline}`)
}

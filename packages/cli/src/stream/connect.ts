import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { notBackline } from '../api/client.ts'
import { type Problem, problemIn, sentenceOf } from '../api/problem.ts'
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
  /** The id of the conversation whose events, and those of whose messages, are streamed; undefined for all. */
  conversation?: string | undefined
  /** The options of the parameters, for errors. */
  optionOf: { types: string; cursor: string; conversation_id?: string }
}

/**
 * Opens `GET /v1/events/stream`.
 * @param lastEventId the last id of a stream that was lost
 * @param silentMs the body ends with an error after this time without data
 * @throws CommandError if a retry is useless, other errors otherwise
 */
export async function connect(
  source: Source,
  lastEventId: string | null,
  signal: AbortSignal,
  silentMs: number,
): Promise<IncomingMessage> {
  const { url, key, types, since, conversation } = source
  const stream = new URL(`${url}/v1/events/stream`)
  if (types !== undefined) stream.searchParams.set('types', types.join(','))
  if (conversation !== undefined) stream.searchParams.set('conversation_id', conversation)
  // An empty cursor, such as that of an unset variable, is the beginning of the feed.
  if (since === '') throw new CommandError('cursor_invalid', '--since must be a cursor, and is empty')
  if (since !== undefined) stream.searchParams.set('cursor', since)
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const response = await answerTo(stream, {
    headers: lastEventId === null ? headers : { ...headers, 'last-event-id': lastEventId },
    signal,
  })
  if (response.statusCode !== 200) throw await refusalOf(source, response)
  if (!mediaTypeOf(response).startsWith('text/event-stream')) {
    response.destroy()
    throw new CommandError('unavailable', `${url} did not return an event stream; ${notBackline}`)
  }
  let wasUnread = false
  response.setTimeout(silentMs, () => {
    // Unread data in the buffer may prevent further data from arriving. A reader that has just emptied the buffer
    // waits as long for more as any other.
    const isUnread = response.readableLength > 0
    if (!isUnread && !wasUnread)
      return response.destroy(new Error(`no data received for ${silentMs / 1000} s`))
    wasUnread = isUnread
    response.setTimeout(silentMs)
  })
  return response
}

const mediaTypeOf = ({ headers }: IncomingMessage): string => String(headers['content-type'] ?? '')

async function refusalOf({ url, optionOf }: Source, response: IncomingMessage): Promise<Error> {
  const status = response.statusCode!
  const problem = await problemOf(response)
  const nameOf = (parameter: string) => optionOf[parameter as keyof typeof optionOf] ?? parameter
  const said = problem ? `: ${sentenceOf(problem, nameOf)}` : ''
  if (status >= 500 || status === 429) return new Error(`the server returned ${status}${said}`)
  return new CommandError(
    problem?.code ?? 'unavailable',
    `${url} returned ${status}${said || `; ${notBackline}`}`,
  )
}

async function problemOf(response: IncomingMessage): Promise<Problem | null> {
  if (mediaTypeOf(response).startsWith('application/problem+json'))
    return problemIn(mediaTypeOf(response), await text(response))
  response.destroy()
  return null
}

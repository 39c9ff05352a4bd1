import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const answerMs = 30_000

/**
 * Sends a request over a new connection, because a kept one could be dead. Redirects are not followed.
 * @returns the response as soon as its header has arrived
 * @param signal also aborts the body of the response
 */
export const answerTo = (
  url: string | URL,
  options: RequestOptions & { signal: AbortSignal },
  body = '',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, { ...options, agent: false })
    const late = () => request.destroy(new Error(`no response within ${answerMs / 1000} s`))
    const timer = setTimeout(late, answerMs)
    request.on('error', reject)
    request.once('response', resolve)
    for (const event of ['response', 'close']) request.once(event, () => clearTimeout(timer))
    request.end(body)
  })

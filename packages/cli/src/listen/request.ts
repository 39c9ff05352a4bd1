import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const answerMs = 30_000

/**
 * Sends a request over a new connection, because one that was kept could be dead. Redirects are not followed.
 * @returns the answer as soon as its header is there
 * @param signal ends the answer's body, too
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

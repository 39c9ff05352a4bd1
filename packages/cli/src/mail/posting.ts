import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Problem } from '@backline/sdk/types.generated.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import type { Access } from '../access/access.ts'
import { notBackline } from '../api/client.ts'
import { sentenceOf } from '../api/problem.ts'
import { CommandError } from '../errors.ts'
import { printable } from '../text.ts'

export type Posted =
  /** The API has the mail: 202, or 200 for one that it had before. */
  | { kind: 'taken'; id: string; isNew: boolean }
  /** The API refuses this mail. */
  | { kind: 'refused'; code: string; reason: string }
  /** Nothing is known about this mail. */
  | { kind: 'unavailable'; reason: string; retryAfterMs: number | null }
  /** As `unavailable`, but the mail itself may be the cause. */
  | { kind: 'failed'; reason: string }

/** The bytes of a mail could not be read to their end, so that the API has not received it. */
export class Unread extends Error {
  override name = 'Unread'
}

type Response = { status: number; retryAfter: string | undefined; text: string }

const silentMs = 120_000
const maxResponseBytes = 1024 * 1024
const longestRetryAfterMs = 300_000

/**
 * Delivers a mail by `POST /v1/inbound_emails`, while it is read. The request names no envelope, because a mail in a
 * folder has none: the server itself reads `Delivered-To`, `X-Original-To` and `Return-Path` of the mail.
 * @throws CommandError if no mail can be delivered this way, Unread
 */
export async function postMail(
  access: Access,
  mailboxId: string,
  key: string,
  mail: Readable,
  stop: AbortSignal,
): Promise<Posted> {
  const path = `/v1/inbound_emails?mailbox_id=${mailboxId}`
  const headers = { 'content-type': 'message/rfc822', 'idempotency-key': key }
  const response = await exchange(access, path, { method: 'POST', headers, stop }, mail).catch(
    (error: Error) => error,
  )
  if (response instanceof Unread) throw response
  if (response instanceof Error) return unavailable(reasonOf(response), null)
  const { status } = response
  const body = jsonOf(response.text)
  if ((status === 202 || status === 200) && typeof body?.id === 'string')
    return { kind: 'taken', id: printable(body.id), isNew: status === 202 }
  const { code, reason } = refusalIn(status, body)
  if (
    status === 429 ||
    status === 503 ||
    status === 502 ||
    status === 504 ||
    code === 'idempotency_key_in_use'
  )
    return unavailable(reason, retryAfterMs(response))
  if (status >= 500) return { kind: 'failed', reason }
  if (isAboutAll(status, code)) throw new CommandError(code, `${access.url} ${reason}`)
  return { kind: 'refused', code, reason }
}

/**
 * Looks at the mailbox, so that a wrong key or id is told before a mail arrives. A key without the right to read
 * mailboxes may deliver mail nevertheless.
 * @returns the reason why the API cannot be asked now, or null
 * @throws CommandError if mail cannot be delivered to the mailbox
 */
export async function checkMailbox(
  access: Access,
  mailboxId: string,
  stop: AbortSignal,
): Promise<string | null> {
  const path = `/v1/mailboxes/${mailboxId}`
  const response = await exchange(access, path, { method: 'GET', headers: {}, stop }).catch(
    (error: Error) => error,
  )
  if (response instanceof Error) return reasonOf(response)
  const { status } = response
  const body = jsonOf(response.text)
  if (status === 200 && body?.archived !== true) return null
  if (status === 200) throw new CommandError('not_found', `the mailbox ${mailboxId} is archived`)
  const { code, reason } = refusalIn(status, body)
  if (code === 'not_found') {
    const message = `there is no mailbox ${mailboxId} in the ${access.environment} environment of ${access.url}`
    throw new CommandError(code, message)
  }
  if (status === 429 || status >= 500) return reason
  if (code === 'scope_missing') return null
  throw new CommandError(code, `${access.url} ${reason}`)
}

const unavailable = (reason: string, retryAfterMs: number | null): Posted => ({
  kind: 'unavailable',
  reason,
  retryAfterMs,
})

/** True for responses that every mail would get: the key, the mailbox or the address of the server is wrong. */
const isAboutAll = (status: number, code: string): boolean =>
  status < 400 || [401, 404, 405, 410].includes(status) || (isOurs(code) && [400, 403].includes(status))

/** False for a response of something before the server, which may object to the text of one mail. */
const isOurs = (code: string): boolean => code !== noProblem

const noProblem = 'no_problem'

function refusalIn(status: number, body: Json | null): { code: string; reason: string } {
  if (typeof body?.code !== 'string' || typeof body.detail !== 'string' || !Array.isArray(body.errors))
    return { code: noProblem, reason: `returned ${status}; ${notBackline}` }
  const code = printable(body.code)
  return { code, reason: `returned ${status} ${code}: ${printable(sentenceOf(body as unknown as Problem))}` }
}

type Json = Record<string, unknown>

function jsonOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Json) : null
  } catch {
    return null
  }
}

function retryAfterMs({ retryAfter = '' }: Response): number | null {
  const seconds = Number(retryAfter || Number.NaN)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds * 1000, 0), longestRetryAfterMs)
}

type Sending = { method: string; headers: Record<string, string>; stop: AbortSignal }

/**
 * Sends a request over a connection of its own. A response that comes before the end of the body ends the body.
 * @throws Unread if the body failed, and errors of the network
 */
function exchange(
  { url, key }: Access,
  path: string,
  { method, headers, stop }: Sending,
  body: Readable = Readable.from([]),
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const request = send(url + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}`, accept: 'application/json' },
      agent: false,
      signal: stop,
    })
    request.setTimeout(silentMs, () => request.destroy(new Error(`no response within ${silentMs / 1000} s`)))
    let hasResponse = false
    let bodyError: Error | null = null
    body.once('error', (error) => {
      bodyError ??= error
    })
    const failed = (error: Error) => {
      if (!hasResponse) reject(bodyError ? new Unread(reasonOf(bodyError), { cause: bodyError }) : error)
    }
    request.on('error', failed)
    request.once('response', (response) => {
      hasResponse = true
      textOf(response)
        .then((text) => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, retryAfter: headers['retry-after'], text })
        }, reject)
        .finally(() => {
          body.destroy()
          request.destroy()
        })
    })
    if (method === 'GET') request.end()
    else pipeline(body, request).catch(failed)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxResponseBytes) throw new Error('the response is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

import { randomUUID } from 'node:crypto'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client } from './harness.ts'
import { until } from './processes.ts'

/* Mailboxes, and mails that arrive at them, by HTTP. */

let made = 0

export const mailbox = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/mailboxes', { address: `support-${++made}@example.com`, ...fields }))

export type Mail = {
  from?: string | null
  to?: string | null
  subject?: string | null
  /** Null leaves the header out; a random one by default. */
  messageId?: string | null
  date?: string | null
  /** Further lines of the header. */
  headers?: string[]
  /** Lines of the header that come before all others, as servers put them. */
  top?: string[]
  body?: string
}

/** A mail as its bytes are sent: without a content type it is plain text. */
export function mail({
  from = 'Ada Lovelace <ada@example.net>',
  to = null,
  subject = 'Card declined',
  messageId = `<${randomUUID()}@example.net>`,
  date = 'Fri, 20 Nov 2026 09:29:58 +0000',
  headers = [],
  top = [],
  body = 'My card was declined twice.',
}: Mail = {}): string {
  const line = (name: string, value: string | null) => (value === null ? [] : [`${name}: ${value}`])
  return [
    ...top,
    ...line('From', from),
    ...line('To', to),
    ...line('Subject', subject),
    ...line('Message-ID', messageId),
    ...line('Date', date),
    ...headers,
    '',
    body,
    '',
  ].join('\r\n')
}

/** The header by which a mail server says that DMARC passed. */
export const dmarcPass = (domain: string, server = 'mx.example.com'): string =>
  `Authentication-Results: ${server}; dmarc=pass header.from=${domain}`

export const deliver = (
  client: Client,
  raw: string,
  query: Record<string, string | string[]> = {},
): Promise<Answer> => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) search.append(name, each)
  return client.post(`/v1/inbound_emails?${search}`, raw, { 'content-type': 'message/rfc822' })
}

/** Delivers a mail, and returns it once it is processed. */
export async function arrive(
  client: Client,
  raw: string | Mail,
  query: Record<string, string | string[]> = {},
): Promise<Body> {
  const { id } = succeeded(await deliver(client, typeof raw === 'string' ? raw : mail(raw), query))
  return processed(client, id)
}

/** A mail that arrived, once it is processed. */
export async function processed(client: Client, id: string): Promise<Body> {
  let email: Body
  await until('the mail is processed', async () => {
    email = succeeded(await client.get(`/v1/inbound_emails/${id}`))
    return email.status !== 'received'
  })
  return email
}

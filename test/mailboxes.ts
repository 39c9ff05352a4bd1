import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client } from './harness.ts'

/* Mailboxes and the faults of requests for them. */

/** A relay without credentials. */
export const relay = { host: 'smtp.example.com', port: 465, security: 'tls' }

export const createMailbox = (client: Client, fields: object = {}): Promise<Answer> =>
  client.post('/v1/mailboxes', { address: `m-${randomUUID()}@example.com`, ...fields })

export const mailbox = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await createMailbox(client, fields))

export const pathOfMailbox = ({ id }: Body): string => `/v1/mailboxes/${id}`

export const patchedMailbox = async (client: Client, it: Body, patch: object): Promise<Body> =>
  succeeded(await client.patch(pathOfMailbox(it), patch))

/** The faults of a refused body, each as its pointer and code. */
export function faultsOf({ status, body, text }: Answer): string[] {
  assert.equal(status, 422, text)
  return body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Client } from './harness.ts'

/* Creates the objects of a support desk by HTTP. Every request must succeed. */

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
export type Body = any

export function succeeded({ status, body, text }: Answer): Body {
  assert.ok(status >= 200 && status < 300, `${status} ${text}`)
  return body
}

let made = 0

/** Creates an operator, online by default. */
export async function operator(client: Client, fields: object = {}, status = 'online'): Promise<string> {
  const unique = { name: `Operator ${++made}`, email: `${randomUUID()}@example.com` }
  const { id } = succeeded(await client.post('/v1/operators', { ...unique, ...fields }))
  if (status !== 'offline') await setStatus(client, id, status)
  return id
}

export const setStatus = async (client: Client, id: string, status: string, fields: object = {}) =>
  succeeded(await client.put(`/v1/operators/${id}/status`, { status, ...fields }))

/** Creates several operators with the same fields. */
export async function operators(client: Client, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await operator(client, fields))
  return ids
}

/** Creates a department with members, round robin by default. */
export async function department(client: Client, members: string[], fields: object = {}): Promise<string> {
  const { id } = succeeded(
    await client.post('/v1/departments', {
      name: `Department ${++made}`,
      assignment: { strategy: 'round_robin' },
      ...fields,
    }),
  )
  for (const member of members) succeeded(await client.put(`/v1/departments/${id}/operators/${member}`))
  return id
}

export const conversation = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/conversations', { external_user_id: 'user_42', ...fields }))

/** `POST /v1/conversations/{id}/<action>` */
export const act = async (client: Client, id: string, action: string, body?: object): Promise<Body> =>
  succeeded(await client.post(`/v1/conversations/${id}/${action}`, body))

export const say = async (client: Client, id: string, author_side: string, fields: object = {}) =>
  succeeded(await client.post(`/v1/conversations/${id}/messages`, { author_side, body: 'Hello', ...fields }))

export const shown = async (client: Client, id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/conversations/${id}`))

export const holdReason = async (client: Client, fields: object = {}): Promise<string> =>
  succeeded(await client.post('/v1/hold_reasons', { name: `Hold reason ${++made}`, ...fields })).id

/** Counts each value. */
export function tally(values: (string | null)[]): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

import assert from 'node:assert/strict'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Client, Service, World } from './harness.ts'

/* Fixtures of the tests of macros. */

/** Creates an object and asserts success. */
export async function made(client: Client, path: string, input: object) {
  const { status, body, text } = await client.post(`/v1/${path}`, input)
  assert.equal(status, 201, text)
  return body
}

export const conversation = (client: Client, input: object = {}) =>
  made(client, 'conversations', { external_user_id: 'user_42', ...input })

let names = 0
export const macro = (client: Client, actions: object[], input: object = {}) =>
  made(client, 'macros', { name: `Macro ${++names}`, actions, ...input })

export const apply = (
  client: Client,
  { id }: { id: string },
  { id: conversation_id }: { id: string },
  headers: Record<string, string> = {},
) => client.post(`/v1/macros/${id}/apply`, { conversation_id }, headers)

/** Removes the values that differ between runs: ids of conversations and messages, and times. */
export const timeless = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/(conv|msg)_[0-9a-z]{26}/g, '$1')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace('by a macro', 'by hand'),
  )

/** The types of all events of a test environment. */
export const journal = (api: Service, { environments }: World) =>
  api.db.rows<{ type: string }>(
    sql`select type from events where tenant_id = ${environments.test.tenantId} order by position, ordinal`,
  )

/** Creates one object of every kind that a macro can refer to. */
export async function surroundings(client: Client) {
  const operator = await made(client, 'operators', { name: 'Ada', email: 'ada@example.com' })
  return {
    operator,
    acting: { 'backline-operator': operator.id },
    category: await made(client, 'categories', { name: 'Cards' }),
    department: await made(client, 'departments', { name: 'Billing' }),
    template: await made(client, 'message_templates', { name: 'Hello', body: 'Hello {{ operator.name }}' }),
    reason: await made(client, 'hold_reasons', { name: 'Bank' }),
  }
}
export type Surroundings = Awaited<ReturnType<typeof surroundings>>

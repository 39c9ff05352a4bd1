import { randomUUID } from 'node:crypto'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client, Service, World } from './harness.ts'

/* End users and their tokens. */

/** An end user with the client of a token. */
export type Someone = Client & { id: string; externalId: string }

export const conversationsPath = '/v1/me/conversations'

export async function sessionOf(
  api: Service,
  { test }: World,
  id: string,
  fields: object = {},
): Promise<Client & { sessionId: string }> {
  const minted = succeeded(await test.post('/v1/end_user_sessions', { end_user_id: id, ...fields }))
  return { ...api.client(minted.token), sessionId: minted.id }
}

export async function someone(api: Service, world: World, fields: object = {}): Promise<Someone> {
  const externalId = randomUUID()
  const { id } = succeeded(await world.test.post('/v1/end_users', { external_id: externalId, ...fields }))
  return { ...(await sessionOf(api, world, id)), id, externalId }
}

export const start = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post(conversationsPath, { message: { body: 'My card was declined.' }, ...fields }))

export const write = async (client: Client, id: string, fields: object = {}): Promise<Body> =>
  succeeded(await client.post(`${conversationsPath}/${id}/messages`, { body: 'Again.', ...fields }))

export const mine = async (client: Client, id: string): Promise<Body> =>
  succeeded(await client.get(`${conversationsPath}/${id}`))

export const messagesOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`${conversationsPath}/${id}/messages`)).data

export const join = async ({ test }: World, id: string, person: Someone) =>
  succeeded(await test.put(`/v1/conversations/${id}/participants/${person.id}`))

/** A response without what differs in each. */
export const plain = ({ status, body }: Answer) => {
  const { request_id: _, instance: __, ...rest } = body
  return { status, ...rest }
}

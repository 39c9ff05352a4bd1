import { type Body, conversation, operators, say, succeeded } from './desk.ts'
import type { Client, Service } from './harness.ts'

/* What tests do with notifications. */

export const as = (id: string) => ({ 'backline-operator': id })
/** Resolves when all writes so far have been noticed. */
export const noticed = async (client: Client): Promise<void> =>
  void succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
export const inbox = async (client: Client, id: string, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/notifications?limit=100${query}`, as(id))).data
export const told = async (client: Client, id: string, query = '') =>
  (await inbox(client, id, query)).map(({ kind, reason, count }) => [kind, reason, count])
export const unread = async (client: Client, id: string): Promise<number> =>
  succeeded(await client.get('/v1/notifications/unread_count', as(id))).unread
export const assign = (client: Client, id: string, assignee_id: string | null, by?: string) =>
  client.post(`/v1/conversations/${id}/assign`, { assignee_id }, by ? as(by) : {}).then(succeeded)
export const note = (client: Client, id: string, by: string, mentions: string[], fields: object = {}) =>
  say(client, id, 'operator', { operator_id: by, visibility: 'internal', mentions, ...fields })
export const follow = (client: Client, id: string, operatorId: string) =>
  client.put(`/v1/conversations/${id}/followers/${operatorId}`).then(succeeded)

/** Operators, and a conversation. */
export async function team(api: Service, count = 3) {
  const world = await api.world()
  const people = await operators(world.test, count)
  const { id } = await conversation(world.test)
  return { ...world, client: world.test, people, id, ada: people[0]!, grace: people[1]!, alan: people[2]! }
}

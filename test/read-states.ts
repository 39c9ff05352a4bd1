import type { Body } from './desk.ts'
import { conversation, operator, say, succeeded } from './desk.ts'
import type { Answer, Client } from './harness.ts'

/* How far operators have read. */

export const as = (operatorId: string) => ({ 'backline-operator': operatorId })

export const read = (client: Client, me: string, id: string, body?: object): Promise<Answer> =>
  client.post(`/v1/conversations/${id}/mark_read`, body, as(me))

export const unread = (client: Client, me: string, id: string, body?: object): Promise<Answer> =>
  client.post(`/v1/conversations/${id}/mark_unread`, body, as(me))

export const stateOf = async (client: Client, me: string, id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/conversations/${id}?include=read_state`, as(me))).read_state

/** The mark and the number of unread messages. */
export const numbers = ({ up_to_sequence, unread_count }: Body): [number, number] => [
  up_to_sequence,
  unread_count,
]

export const seen = async (client: Client, me: string, id: string): Promise<[number, number]> =>
  numbers(await stateOf(client, me, id))

/** The ids of a list of conversations. */
export const idsOf = async (client: Client, me: string, query: string): Promise<string[]> =>
  succeeded(await client.get(`/v1/conversations?${query}`, as(me))).data.map((each: Body) => each.id)

export const faultsOf = ({ body }: Answer): [string, string][] =>
  body.errors.map(({ parameter, pointer, header, code }: Body) => [parameter ?? pointer ?? header, code])

/** Two operators, and a conversation with a message of each kind: end user, colleague, note, system. */
export async function readers(test: Client): Promise<{ ada: string; grace: string; id: string }> {
  const [ada, grace] = [await operator(test), await operator(test)]
  const { id } = await conversation(test)
  await say(test, id, 'end_user')
  await say(test, id, 'operator', { operator_id: grace })
  await say(test, id, 'operator', { operator_id: grace, visibility: 'internal' })
  await say(test, id, 'system')
  return { ada, grace, id }
}

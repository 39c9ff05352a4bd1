import { createConversation, listConversations } from '../generated/hey-api'
import { client } from '../generated/hey-api/client.gen'

export async function createsAndLists(baseUrl: string, key: string): Promise<number> {
  client.setConfig({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const created = await createConversation({
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { external_user_id: 'user_2', message: { body: 'Hello' } },
    throwOnError: true,
  })
  const { data } = await listConversations({ query: { status: 'new', limit: 5 }, throwOnError: true })
  return data.data.filter(({ id }) => id === created.data.id).length
}

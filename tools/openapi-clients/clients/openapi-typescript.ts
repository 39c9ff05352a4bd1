import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript'

export async function createsAndLists(baseUrl: string, key: string): Promise<number> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const created = await client.POST('/v1/conversations', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { external_user_id: 'user_1', message: { body: 'Hello' } },
  })
  if (created.error) throw new Error(created.error.code)
  const { data } = await client.GET('/v1/conversations', { params: { query: { status: 'new', limit: 5 } } })
  return data!.data.filter(({ id }) => id === created.data.id).length
}

import { createConversation, listConversations } from '../generated/orval/api'

export async function createsAndLists(baseUrl: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return withBaseUrl(baseUrl, async () => {
    const created = await createConversation(
      { external_user_id: 'user_3', message: { body: 'Hello' } },
      { headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() } },
    )
    if (created.status !== 201) throw new Error(created.data.code)
    const page = await listConversations({ status: 'new', limit: 5 }, { headers })
    return page.status === 200 ? page.data.data.filter(({ id }) => id === created.data.id).length : 0
  })
}

/** The base URL of this client is fixed when it is generated (orval.config.mjs). */
async function withBaseUrl<Result>(baseUrl: string, work: () => Promise<Result>): Promise<Result> {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => fetch(String(input).replace('http://backline.invalid', baseUrl), init)
  try {
    return await work()
  } finally {
    globalThis.fetch = fetch
  }
}

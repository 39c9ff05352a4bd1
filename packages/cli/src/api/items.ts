import type { Client, Json } from './client.ts'

/** The items of all pages of a list. */
export async function* itemsOf({ call }: Pick<Client, 'call'>, path: string): AsyncGenerator<Json> {
  for (let cursor: string | null = null; ; ) {
    const query: Record<string, string> = { limit: '100', ...(cursor === null ? {} : { cursor }) }
    const page: Json = await call('GET', path, { query })
    yield* page.data
    if (!page.has_more) return
    cursor = page.next_cursor
  }
}

/** The API, as the demo calls it: with the client of the command line, or with that of a page. */
export type Api = {
  /**
   * The body of a successful response.
   * @param request a POST without an idempotency key gets a new one; `operator` is the acting operator
   * @throws an error with the `code` and `params` of the problem for others
   */
  call(method: string, path: string, request?: ApiRequest): Promise<Json>
}

export type ApiRequest = {
  query?: Record<string, string>
  /** A JSON value; a text is sent as it is. */
  body?: unknown
  /** More headers, such as the media type of a text. */
  headers?: Record<string, string>
  operator?: string
  idempotencyKey?: string
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many operations, of which the demo reads few members
export type Json = any

/** The items of all pages of a list. */
export async function* itemsOf(
  { call }: Api,
  path: string,
  filters: Record<string, string> = {},
): AsyncGenerator<Json> {
  for (let cursor: string | null = null; ; ) {
    const query: Record<string, string> = { ...filters, limit: '100', ...(cursor === null ? {} : { cursor }) }
    const page: Json = await call('GET', path, { query })
    yield* page.data
    if (!page.has_more) return
    cursor = page.next_cursor
  }
}

/** The body, and the response that had it, whose headers have `ETag`, `Request-Id` and `Idempotent-Replayed`. */
export type WithResponse<Data> = { data: Data; response: Response }

/**
 * A promise of the body of a response. The request is sent at once. Rejects with a `BacklineError`, or with the reason
 * of the request's `signal`.
 */
export class Reply<Data> extends Promise<Data> {
  readonly #exchange: Promise<WithResponse<Data>>

  constructor(exchange: Promise<WithResponse<Data>>) {
    super(() => undefined) // never used: `then` and its relatives use the exchange
    this.#exchange = exchange
  }

  /** Promises the body together with the HTTP response. */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#exchange
  }

  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#exchange.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  override catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Data | Rejected> {
    return this.then(undefined, onRejected)
  }

  override finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally)
  }
}

/** A page of a list, such as `ConversationList`. */
type Page = { data: unknown[]; has_more: boolean; next_cursor: string | null }
type ItemOf<List extends Page> = List['data'][number]

/**
 * A promise of a page; iterated with `for await`, all items from this page to the last one. The next page is requested
 * when all items of the one before have been used.
 */
export class ListReply<List extends Page> extends Reply<List> implements AsyncIterable<ItemOf<List>> {
  readonly #pageAfter: (cursor: string) => Promise<List>

  constructor(exchange: Promise<WithResponse<List>>, pageAfter: (cursor: string) => Promise<List>) {
    super(exchange)
    this.#pageAfter = pageAfter
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<List>, void, undefined> {
    for (let page: List = await this; ; page = await this.#pageAfter(page.next_cursor!)) {
      yield* page.data as ItemOf<List>[]
      if (!page.has_more) return
    }
  }
}

import { linesIn, textOf } from './body.ts'

export type LineSource = {
  url: string
  signal: AbortSignal | undefined
  timeoutMs: number
  open(): Promise<Response>
}

/**
 * The objects of a response with one JSON object per line, as they arrive. Iteration sends the request; `break` ends
 * it. Throws `ConnectionError` if the response is incomplete, and the reason of the `signal` of the request.
 */
export class LineStream<Item> implements AsyncIterable<Item> {
  readonly #source: LineSource

  constructor(source: LineSource) {
    this.#source = source
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const response = await this.#source.open()
    for await (const line of linesIn(textOf(response, this.#source))) yield JSON.parse(line)
    this.#source.signal?.throwIfAborted()
  }
}

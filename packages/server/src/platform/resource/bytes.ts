/* The declaration of a request whose body is bytes in place of JSON. */

/** A body that has arrived, as the handler receives it. */
export type ReceivedBytes = {
  /** Identifies the bytes: a key may be used again only with the same ones. */
  sha256: string
  sizeBytes: number
  /** Called after the response. */
  discard(): Promise<void>
}

export type BytesBody<Received extends ReceivedBytes = ReceivedBytes> = {
  mediaType: string
  maxBytes: number
  /** A body, for the documentation. */
  example: string
  /** Takes the bytes as they arrive, at most `maxBytes`. */
  receive(bytes: AsyncIterable<Buffer>): Promise<Received>
}

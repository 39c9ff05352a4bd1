import { Readable } from 'node:stream'

/**
 * The bytes of a mail whose last piece waits for a promise: before it is kept, no relay has the whole mail.
 * @param mark called once all bytes but those of the last piece have been read
 */
export const heldUntil = (bytes: Readable, mark: () => Promise<void>): Readable =>
  Readable.from(held(bytes, mark), { objectMode: false })

async function* held(bytes: Readable, mark: () => Promise<void>): AsyncGenerator<Buffer> {
  let last: Buffer | null = null
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    if (last) yield last
    last = piece
  }
  await mark()
  if (last) yield last
}

import { WrongSize } from './store.ts'

/**
 * For `pipeline`: passes the bytes on, but the last of them only when the end is reached and the number is right. So
 * a store that counts for itself never has all bytes of a stream that fails.
 * @throws WrongSize as soon as there are more bytes than announced, at the end if there are fewer
 */
export const exactly = (sizeBytes: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let seen = 0
    let held: Buffer | null = null
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      seen += chunk.length
      if (seen > sizeBytes)
        throw new WrongSize(`There are more than the ${sizeBytes} bytes that were announced`)
      if (held) yield held
      held = chunk
    }
    if (seen < sizeBytes) throw new WrongSize(`There are ${seen} bytes instead of the ${sizeBytes} announced`)
    if (held) yield held
  }

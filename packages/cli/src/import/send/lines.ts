import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line without its end, and the place where the next one begins. */
export type Piece = { bytes: Buffer; next: number }

const newline = 0x0a

/**
 * The lines of a file, compressed or not, from a place in the uncompressed text.
 * @param to where the valid part of the file ends; null for its end. The last line may lack its end.
 */
export async function* linesOf(file: string, from: number, to: number | null): AsyncGenerator<Piece> {
  const isCompressed = file.endsWith('.gz')
  let at = isCompressed ? 0 : from
  let rest: Buffer[] = []
  const start = isCompressed ? 0 : from
  if (to !== null && to <= from) return
  const stored = createReadStream(file, isCompressed || to === null ? { start } : { start, end: to - 1 })
  const chunks = isCompressed ? pipeline(stored, createGunzip(), () => undefined) : stored
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    const skipped = Math.min(Math.max(from - at, 0), chunk.length)
    at += skipped
    let begin = skipped
    for (let end = chunk.indexOf(newline, begin); end >= 0; end = chunk.indexOf(newline, begin)) {
      at += end + 1 - begin
      yield { bytes: Buffer.concat([...rest, chunk.subarray(begin, end)]), next: at }
      rest = []
      begin = end + 1
    }
    at += chunk.length - begin
    if (begin < chunk.length) rest.push(chunk.subarray(begin))
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), next: at }
}

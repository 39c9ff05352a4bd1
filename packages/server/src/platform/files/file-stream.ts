import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

const chunkBytes = 64 * 1024

/**
 * Reads an open file, or the bytes from `start` to `end`, and closes it. Unlike the stream of the handle it converts
 * errors, with `toError`.
 */
export function streamOf(
  handle: FileHandle,
  { start, end }: { start: number; end: number },
  toError: (error: unknown) => unknown,
): Readable {
  let position = start
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      const length = Math.min(chunkBytes, end + 1 - position)
      if (length <= 0) return void this.push(null)
      handle.read(Buffer.allocUnsafeSlow(length), 0, length, position).then(
        ({ bytesRead, buffer }) => {
          position += bytesRead
          this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
        },
        (error) => this.destroy(toError(error) as Error),
      )
    },
    destroy(error, done) {
      // A handle that is being read is closed after that.
      handle.close().then(
        () => done(error),
        (failure) => done(error ?? failure),
      )
    },
  })
}

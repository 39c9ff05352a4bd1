import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Bytes of a part; the next object begins a new one. */
const maxPartBytes = 2 ** 30 - 64 * 1024 * 1024

/** A complete part in a local file. */
export type LocalPart = { path: string; bytes: number }

/** The part that is being written. */
type Open = { path: string; to: Writable; ended: Promise<void>; written(): number; destroy(): void }

/** Writes the lines of a family to local files, each of which is complete in itself, and digests all of them. */
export class FamilyWriter {
  readonly #path: string
  readonly #header: string
  readonly #isCompressed: boolean
  readonly #digest = createHash('sha256')
  readonly #parts: LocalPart[] = []
  #open: Open | null = null
  #failure: Error | null = null
  count = 0

  /** @param header the first line of each part, or empty */
  constructor(
    directory: string,
    name: string,
    { header, isCompressed }: { header: string; isCompressed: boolean },
  ) {
    this.#path = join(directory, name)
    this.#header = header
    this.#isCompressed = isCompressed
  }

  /** Resolves when more can be written. @throws the error of the disk */
  async write(lines: string[]): Promise<void> {
    if (lines.length === 0) return
    if (this.#open && this.#open.written() > maxPartBytes) await this.#end()
    const isNew = this.#open === null
    const open = this.#open ?? this.#begin()
    this.#open = open
    const text = (isNew ? this.#header : '') + lines.join('')
    this.#digest.update(text)
    this.count += lines.length
    if (!open.to.write(text)) await Promise.race([once(open.to, 'drain'), open.ended])
    if (this.#failure) throw this.#failure
  }

  /** Ends the last part. A family without objects has one part without lines. */
  async finish(): Promise<{ parts: LocalPart[]; count: number; sha256: string }> {
    if (!this.#open && this.#parts.length === 0) {
      this.#open = this.#begin()
      this.#open.to.write(this.#header)
      this.#digest.update(this.#header)
    }
    await this.#end()
    return { parts: this.#parts, count: this.count, sha256: this.#digest.digest('hex') }
  }

  /** Closes what is being written, which nobody needs any more. */
  abandon(): void {
    this.#open?.destroy()
    this.#open = null
  }

  #begin(): Open {
    const path = `${this.#path}.${this.#parts.length}`
    const file = createWriteStream(path, { mode: 0o600 })
    const gzip = this.#isCompressed ? createGzip() : null
    gzip?.pipe(file)
    const ended = finished(file)
    const fail = (error: Error) => {
      this.#failure ??= error
    }
    ended.catch(fail)
    gzip?.on('error', fail)
    const destroy = () => {
      gzip?.destroy()
      file.destroy()
    }
    return { path, to: gzip ?? file, ended, written: () => file.bytesWritten, destroy }
  }

  async #end(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (!open) return
    open.to.end()
    await open.ended
    this.#parts.push({ path: open.path, bytes: (await stat(open.path)).size })
  }
}

import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { NoSuchBytes } from '../../../platform/files/store.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { copyKey } from '../../files/keys.ts'
import { type FileRow, fileTable } from '../../files/queries.ts'
import { JobFailed } from '../../jobs/kinds.ts'

/** The maximum length of a line in bytes. */
export const maxLineBytes = 1024 * 1024

/** The bounds of a file: far more than ten million ordinary messages have, and few enough for disks and results. */
export type FileLimits = { lines: number; unpackedBytes: number }
export const fileLimits: FileLimits = { lines: 20_000_000, unpackedBytes: 32 * 2 ** 30 }

/** A line of the file, from 1; its text is null if it is too long or no UTF-8. */
export type SourceLine = { number: number; text: Buffer | null; fault: 'too_long' | 'bad_format' | null }

const unreadable = (detail: string) => new JobFailed({ code: 'file_unreadable', detail })
const tooLarge = (most: number, unit: string) =>
  new JobFailed({
    code: 'file_too_large',
    detail: `The file has more than ${most} ${unit}, the maximum. Import it in several parts.`,
  })

/** The file of an import. @throws JobFailed */
export async function sourceFile({ db, env }: Ctx, id: string): Promise<FileRow> {
  const file = await fileTable.find(db, env.tenantId, id)
  if (file?.status === 'ready') return file
  throw unreadable('The file of the import was deleted.')
}

/** Reads a file as lines, compressed by gzip or not. @throws JobFailed */
export async function* linesOf({ env, services }: Ctx, { id, copy }: FileRow): AsyncGenerator<SourceLine[]> {
  try {
    const stored = await services.files.store.read(copyKey(env.tenantId, id, copy!))
    yield* linesIn(stored)
  } catch (error) {
    if (error instanceof NoSuchBytes) throw unreadable('The bytes of the file are gone.')
    const { code = '' } = error as NodeJS.ErrnoException
    if (code.startsWith('Z_')) throw unreadable('The file is no valid gzip file.')
    throw error
  }
}

/** @throws JobFailed for more lines or bytes than the limits */
export async function* linesIn(stored: Readable, limits = fileLimits): AsyncGenerator<SourceLine[]> {
  yield* split(limited(await unpacked(stored), limits.unpackedBytes), limits.lines)
}

async function* limited(pieces: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > most) throw tooLarge(most, 'uncompressed bytes')
    yield piece
  }
}

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

async function unpacked(stored: Readable): Promise<AsyncIterable<Buffer>> {
  const pieces = stored[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await pieces.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const all = (async function* () {
    try {
      yield head
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
    } finally {
      stored.destroy()
    }
  })()
  if (!isGzip(head)) return all
  return pipeline(Readable.from(all, { objectMode: false }), createGunzip(), () => undefined)
}

/** Yields the lines of each piece. Memory holds at most one line besides a piece. */
async function* split(pieces: AsyncIterable<Buffer>, most: number): AsyncGenerator<SourceLine[]> {
  let number = 0
  let begun: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length <= maxLineBytes) begun.push(part)
    else begun = []
  }
  /** Null for a blank one. */
  const end = (): SourceLine | null => {
    if (++number > most) throw tooLarge(most, 'lines')
    if (length === 0) return null
    const line = length > maxLineBytes ? null : Buffer.concat(begun)
    ;[begun, length] = [[], 0]
    if (line === null) return { number, text: null, fault: 'too_long' }
    const text = number === 1 && line.indexOf('\ufeff') === 0 ? line.subarray(3) : line
    if (isBlank(text)) return null
    return isUtf8(text) ? { number, text, fault: null } : { number, text: null, fault: 'bad_format' }
  }
  for await (const piece of pieces) {
    const lines: SourceLine[] = []
    let from = 0
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, from)) {
      if (at > from) add(piece.subarray(from, at))
      const line = end()
      if (line) lines.push(line)
      from = at + 1
    }
    if (from < piece.length) add(Buffer.from(piece.subarray(from))) // a copy: the piece may be large
    if (lines.length > 0) yield lines
  }
  const last = length > 0 ? end() : null
  if (last) yield [last]
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 32 || byte === 13 || byte === 9)

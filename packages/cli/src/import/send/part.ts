import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { linesOf } from './lines.ts'

/** A part of the lines that one import takes. */
export type Part = { from: number; to: number; lines: number; sha256: string; size: number }

export type PartLimits = { bytes: number; lines: number; files: number }

/** Below what the server takes by default; the attachments of a part are uploaded in less than a day. */
export const usualLimits: PartLimits = { bytes: 16 * 2 ** 20, lines: 200_000, files: 5_000 }

/** A conversation and the messages after it stay in one part where they can. */
const soft = 0.8
/** The compressor gets so much at once. */
const pieceBytes = 128 * 1024

export type PartSource = {
  file: string
  from: number
  to: number | null
  limits: PartLimits
  /** Lines that the part begins with. */
  head?: string[]
  /** The line as it is sent, and how many files it has. Empty lines are left out. */
  prepare(line: string): Promise<{ line: string; files: number }>
}

/** Writes the next part, compressed, to a file. Null if no lines are left. */
export async function writePart(to: string, source: PartSource): Promise<Part | null> {
  const { file, from, limits, head = [], prepare } = source
  const gzip = createGzip()
  const output = createWriteStream(`${to}.part`, { mode: 0o600 })
  const hash = createHash('sha256')
  let [size, lines, files, end] = [0, 0, 0, from]
  gzip.on('data', (chunk: Buffer) => {
    size += chunk.length
    hash.update(chunk)
  })
  gzip.pipe(output)
  let waiting: string[] = []
  let waitingBytes = 0
  const add = (line: string) => {
    waiting.push(line, '\n')
    waitingBytes += line.length
    lines++
  }
  const flush = async () => {
    const text = waiting.join('')
    ;[waiting, waitingBytes] = [[], 0]
    if (!gzip.write(text)) await once(gzip, 'drain')
  }
  /** Compressed, an unwritten piece takes less than itself. */
  const exceeds = (share: number) =>
    size + waitingBytes > limits.bytes * share ||
    lines >= limits.lines * share ||
    files >= limits.files * share
  for (const line of head) add(line)
  const headLines = lines
  try {
    for await (const { bytes, next } of linesOf(file, from, source.to)) {
      const text = bytes.toString()
      if (lines > headLines && (exceeds(1) || (exceeds(soft) && !isMessage(text)))) break
      if (text.trim() !== '') {
        const prepared = await prepare(text)
        add(prepared.line)
        files += prepared.files
        if (waitingBytes > pieceBytes) await flush()
      }
      end = next
    }
    await flush()
    gzip.end()
    await finished(output)
    if (lines === headLines) return null
    await rename(`${to}.part`, to)
    return { from, to: end, lines, sha256: hash.digest('hex'), size }
  } finally {
    gzip.destroy()
    output.destroy()
    await rm(`${to}.part`, { force: true })
  }
}

const isMessage = (line: string): boolean => /^\s*\{\s*"type"\s*:\s*"message"/.test(line)

import { createHash } from 'node:crypto'
import { isDenied } from '../../platform/files/denied-types.ts'
import { judgeType } from '../../platform/files/media-types.ts'
import type { FileStore } from '../../platform/files/store.ts'
import { detect, detectionBytes } from '../../platform/files/type-of-bytes.ts'
import { Outdated } from '../../platform/postgres/errors.ts'
import type { FileRow, RejectedReason } from './queries.ts'

type Verdict = { contentType: string } | { reason: RejectedReason }

/** Compares the bytes at a key with what was announced: their length, their SHA-256 and their type. */
export async function inspect(
  store: FileStore,
  key: string,
  { filename, content_type, size_bytes, sha256 }: FileRow,
  denied: readonly string[],
): Promise<Verdict> {
  const size = await store.sizeOf(key)
  if (size === null) throw new Outdated() // the file was deleted meanwhile
  if (size !== size_bytes) return { reason: 'size' }
  const { head, hash } = await readAll(store, key, size, sha256 !== null)
  if (hash !== sha256) return { reason: 'hash' }
  const detected = await detect(head)
  if (isDenied(denied, filename, detected)) return { reason: 'type' }
  const judged = judgeType(content_type, detected)
  return judged === 'mismatch' ? { reason: 'type' } : judged
}

/** The beginning of the bytes, and the SHA-256 of all of them if it is asked for. */
async function readAll(
  store: FileStore,
  key: string,
  size: number,
  hashes: boolean,
): Promise<{ head: Buffer; hash: string | null }> {
  if (size === 0) return { head: Buffer.alloc(0), hash: hashes ? createHash('sha256').digest('hex') : null }
  const end = hashes ? size : Math.min(size, detectionBytes)
  const hash = hashes ? createHash('sha256') : null
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of (await store.read(key, { start: 0, end: end - 1 })) as AsyncIterable<Buffer>) {
    hash?.update(piece)
    if (length < detectionBytes) pieces.push(piece)
    length += piece.length
  }
  return { head: Buffer.concat(pieces).subarray(0, detectionBytes), hash: hash?.digest('hex') ?? null }
}

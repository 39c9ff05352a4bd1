import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReceivedBytes } from '../../../platform/resource/bytes.ts'
import { makeDirectory, removeDirectory } from '../../jobs/running/directories.ts'
import { ContentHash, type Head } from '../mime/content-hash.ts'

/** A mail that has arrived, with what its headers say and what makes two mails the same. */
export type ReceivedEmail = ReceivedBytes & {
  /** The bytes of a small mail; null for a large one. */
  bytes: Buffer | null
  /** The local file of a large mail; null for a small one. */
  path: string | null
  /** The same for two mails that are one. */
  contentHash: string
  head: Head
}

/** A mail with more bytes is kept in a file: here while it arrives, and in the file store for good. */
export const smallBytes = 128 * 1_024

/** Takes a mail as it arrives. Memory holds a part of a large one at a time. */
export async function receiveEmail(bytes: AsyncIterable<Buffer>): Promise<ReceivedEmail> {
  const reader = new ContentHash()
  let directory: string | null = null
  let path: string | null = null
  let pieces: Buffer[] = []
  let length = 0
  let file: FileHandle | null = null
  const discard = async () => {
    if (directory !== null) await removeDirectory(directory)
  }
  try {
    for await (const piece of bytes) {
      reader.write(piece)
      pieces.push(piece)
      length += piece.length
      if (!file && length <= smallBytes) continue
      directory ??= await makeDirectory()
      path ??= join(directory, 'mail')
      file ??= await open(path, 'wx', 0o600)
      await file.writeFile(pieces.length === 1 ? piece : Buffer.concat(pieces))
      pieces = []
    }
    await file?.close()
  } catch (error) {
    await file?.close().catch(() => undefined)
    await discard()
    throw error
  }
  return {
    ...reader.end(),
    bytes: file ? null : Buffer.concat(pieces),
    path,
    discard,
  }
}

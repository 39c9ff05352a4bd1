import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { contentHeaders } from '../../../platform/files/content-headers.ts'
import { NoSuchBytes } from '../../../platform/files/store.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Content } from '../../../platform/resource/streams.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { bytesOfFile, contentOf } from '../../files/content.ts'
import { files } from '../../files/entity.ts'
import { createMadeFile, storeBytes } from '../../files/making.ts'
import { fileTable } from '../../files/queries.ts'
import { deleteFile } from '../../files/removal.ts'
import { deleteBytes, findBytes, type InboundEmail, insertBytes } from './queries.ts'
import type { ReceivedEmail } from './receiving.ts'

/*
 * A mail as it came. The bytes of a small one are a row, written with that of the mail; those of a large one are in the
 * file store before the row of the mail is written.
 */

/** The ids of files whose bytes are stored, by the mail: a handler that runs again stores them once. */
const storedIds = new WeakMap<ReceivedEmail, Promise<string>>()

/** Keeps the bytes of a new mail. @returns the id of the file that has them, null for a small one */
export async function keepRaw(change: Change, id: string, received: ReceivedEmail): Promise<string | null> {
  const { bytes, path, sizeBytes, sha256 } = received
  if (bytes) {
    change.effects.writeBatched(insertBytes, { inbound_email_id: id, bytes })
    return null
  }
  const stored = storedIds.get(received) ?? storeBytes(change.ctx, path!, sizeBytes)
  storedIds.set(received, stored)
  const file = createMadeFile(change, {
    id: await stored,
    filename: `${typeId('eml', id)}.eml`,
    content_type: 'message/rfc822',
    size_bytes: sizeBytes,
    sha256,
    required_scopes: ['inbound_emails:read'],
  })
  return file.id
}

/** Removes the bytes of a mail. */
export async function dropRaw(change: Change, { id, raw_file_id }: InboundEmail): Promise<void> {
  if (raw_file_id === null) return change.effects.writeBatched(deleteBytes, id)
  const file = await change.rows.find(files, raw_file_id)
  if (file) deleteFile(change, file)
}

/** The bytes of a mail; null once they are removed. */
export async function rawOf(ctx: Ctx, { id, raw_file_id }: InboundEmail): Promise<Content | null> {
  const { db, env } = ctx
  if (raw_file_id !== null) {
    const file = await fileTable.find(db, env.tenantId, raw_file_id)
    return file && contentOf(ctx, file)
  }
  const bytes = await findBytes(db, env.tenantId, id)
  return (
    bytes && {
      headers: contentHeaders({ filename: `${typeId('eml', id)}.eml`, contentType: 'message/rfc822' }),
      etag: `"${typeId('eml', id)}"`,
      sizeBytes: bytes.length,
      read: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    }
  )
}

/**
 * The bytes of a mail for a parser: in memory, or in a file of the directory, which is made then.
 * @throws NoSuchBytes once they are removed
 */
export async function localRaw(
  { db, env, services }: Ctx,
  { id, raw_file_id }: InboundEmail,
  directory: string,
): Promise<{ bytes: Uint8Array } | { path: string }> {
  const gone = () => new NoSuchBytes(`The bytes of the mail ${id} are removed`)
  if (raw_file_id === null) {
    const bytes = await findBytes(db, env.tenantId, id)
    if (bytes === null) throw gone()
    return { bytes }
  }
  const file = await fileTable.find(db, env.tenantId, raw_file_id)
  if (!file) throw gone()
  await mkdir(directory, { mode: 0o700 })
  const path = join(directory, 'mail')
  await pipeline(
    await bytesOfFile(services.files.store, env.tenantId, file),
    createWriteStream(path, { mode: 0o600 }),
  )
  return { path }
}

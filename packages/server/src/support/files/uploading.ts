import type { Upload } from '../../platform/http/request/uploads.ts'
import { type Clock, toUnixMs } from '../../platform/kernel/clock.ts'
import { ApiError } from '../../platform/kernel/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Services } from '../../platform/unit-of-work/context.ts'
import { uploadableForMs } from './actions.ts'
import { uploadKey } from './keys.ts'
import { findFileWithEnvironment } from './queries.ts'
import { readUploadToken } from './upload-tokens.ts'

const excessBytes = 64 * 1024

/**
 * Returns where the bytes of an upload go, by the token in its URL.
 * @throws ApiError `not_found` for an unknown or expired URL; `invalid_transition` if the file has its bytes
 */
export async function openUpload(
  { db, clock, services }: { db: Db; clock: Clock; services: Services },
  token: string,
): Promise<Upload> {
  const { files, secretBox } = services
  const named = await readUploadToken(secretBox, token)
  if (!named) throw new ApiError('not_found')
  const { tenantId, fileId } = named
  const found = await findFileWithEnvironment(db.home(tenantId), tenantId, fileId)
  if (!found) throw new ApiError('not_found')
  const { file, environment } = found
  if (file.status === 'rejected') throw new ApiError('file_rejected', { reason: file.rejected_reason })
  if (file.status !== 'awaiting_upload')
    throw new ApiError('invalid_transition', { from: file.status, action: 'upload', allowed: [] })
  if (clock() + environment.clockOffsetMs > toUnixMs(file.created_at) + uploadableForMs) {
    const detail = 'This URL could be used for an hour, which is over. Create the file again.'
    throw new ApiError('not_found', {}, { detail })
  }
  return {
    fileId,
    tenantId,
    endUserId: file.end_user_id,
    // A little more than was announced is taken, so that `complete` can tell.
    maxBytes: Math.min(files.maxBytes, file.size_bytes + excessBytes),
    store: (bytes, sizeBytes) => files.store.write(uploadKey(tenantId, fileId), bytes, sizeBytes),
  }
}

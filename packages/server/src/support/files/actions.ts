import { defaultDeniedExtensions, isDenied } from '../../platform/files/denied-types.ts'
import { extensionOf } from '../../platform/files/file-names.ts'
import { toInstant, toUnixMs } from '../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../platform/kernel/errors.ts'
import { publicUrl } from '../../platform/kernel/public-url.ts'
import { Outdated } from '../../platform/postgres/errors.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import { tokenHolderOf } from '../vocabulary/principal.ts'
import { files } from './entity.ts'
import { inspect } from './inspecting.ts'
import { copyKey, uploadKey } from './keys.ts'
import { countUnused, deniedExtensions, type FileRow } from './queries.ts'
import { deleteFile, noBytesAfter, scheduleRemoval, tidy, unusedForMs } from './removal.ts'
import type { FileWithUpload, NewFile, Upload } from './schema.ts'
import { insertScans, reserveCopy } from './tasks/queries.ts'
import { uploadToken } from './upload-tokens.ts'

/** The URL that takes the bytes can be used for this time. */
export const uploadableForMs = 3_600_000
/** An end user cannot have more files that no message uses. */
const maxUnusedOfEndUser = 50

/** Announces a file. The response says where the client uploads its bytes. */
export async function createFile(change: Change, input: NewFile): Promise<FileWithUpload> {
  const endUser = tokenHolderOf(change.ctx)
  await checkNewFile(change, input)
  if (endUser) await requireFewUnused(change, endUser.id)
  const file: FileRow = {
    ...change.stamp(),
    filename: input.filename,
    content_type: input.content_type,
    size_bytes: input.size_bytes,
    sha256: input.sha256?.toLowerCase() ?? null,
    status: 'awaiting_upload',
    rejected_reason: null,
    end_user_id: endUser?.id ?? null,
    conversation_id: null,
    in_knowledge_base: false,
    use_count: 0,
    copy: null,
    required_scopes: null,
  }
  scheduleRemoval(change, file.id, toInstant(toUnixMs(change.now) + unusedForMs))
  return { ...change.rows.create(files, file), upload: await uploadOf(change, file) }
}

/** @throws ApiError `validation_failed` */
async function checkNewFile(change: Change, { filename }: NewFile): Promise<void> {
  if (!isDenied(await deniedIn(change), filename, null)) return
  const detail = `must not end in .${extensionOf(filename)}, which the setting file_types_denied of the workspace lists`
  throw invalidBody({ pointer: '/filename', code: 'not_allowed', detail })
}

const deniedIn = async ({ db, tenantId }: Change): Promise<readonly string[]> =>
  (await deniedExtensions(db, tenantId)) ?? defaultDeniedExtensions

/** @throws ApiError `rate_limited` */
async function requireFewUnused(change: Change, endUserId: string): Promise<void> {
  const { db, tenantId } = change
  await change.lock(`unused_files/${endUserId}`)
  if ((await countUnused(db, tenantId, endUserId, maxUnusedOfEndUser)) < maxUnusedOfEndUser) return
  throw new ApiError(
    'rate_limited',
    {
      counted: 'unused_files',
      per: 'end_user',
      setting: null,
      retry_after_seconds: 60,
      limit: maxUnusedOfEndUser,
    },
    {
      headers: { 'retry-after': '60' },
      detail: `This end user has ${maxUnusedOfEndUser} files that no message uses.`,
    },
  )
}

/** Uploads go straight to the store, or through this server. */
async function uploadOf({ ctx, tenantId, now }: Change, file: FileRow): Promise<Upload> {
  const {
    files: { store },
    secretBox,
  } = ctx.services
  const signed = await store.signUpload?.(
    uploadKey(tenantId, file.id),
    { contentType: file.content_type, sizeBytes: file.size_bytes, sha256: file.sha256 },
    uploadableForMs / 1_000,
  )
  if (signed) return { method: 'PUT', ...signed, expires_at: toInstant(Date.now() + uploadableForMs) }
  return {
    method: 'PUT',
    url: publicUrl(`/v1/uploads/${uploadToken(secretBox, tenantId, file.id)}`),
    headers: { 'content-type': file.content_type },
    expires_at: toInstant(toUnixMs(now) + uploadableForMs),
  }
}

/**
 * Takes what was uploaded as the bytes of the file, if it is what was announced. A copy is judged that no client can
 * write. Of two requests at once, each judges a copy of its own, and the first that commits decides.
 * @throws ApiError `file_not_ready` before the upload, `file_rejected`
 */
export async function completeFile(change: Change, file: FileRow): Promise<FileRow> {
  if (file.status === 'rejected') throw new ApiError('file_rejected', { reason: file.rejected_reason })
  if (file.status !== 'awaiting_upload') return file
  const { db, tenantId } = change
  const { store, scans } = change.ctx.services.files
  // Before a copy is reserved: requests that come too early leave nothing behind.
  if ((await store.sizeOf(uploadKey(tenantId, file.id))) === null)
    throw new ApiError('file_not_ready', { status: file.status })
  const copy = await reserveCopy(db, tenantId, file.id, noBytesAfter())
  if (copy === null) throw new Outdated() // another request has completed or deleted the file
  const key = copyKey(tenantId, file.id, copy)
  if (!(await store.copy(uploadKey(tenantId, file.id), key)))
    throw new ApiError('file_not_ready', { status: file.status })
  const verdict = await inspect(store, key, file, await deniedIn(change))
  if ('reason' in verdict) {
    tidy(change, file)
    return change.rows.update(
      files,
      file,
      { status: 'rejected', rejected_reason: verdict.reason },
      'file.rejected',
    )
  }
  const { contentType: content_type } = verdict
  if (!scans) return change.rows.update(files, file, { status: 'ready', content_type, copy }, 'file.ready')
  const now = toInstant(Date.now())
  change.effects.writeBatched(insertScans, { file_id: file.id, copies: 0, due_at: now, final_at: now })
  return change.rows.update(files, file, { status: 'scanning', content_type, copy }, null)
}

/** @throws ApiError `resource_in_use` if a message or an article uses it */
export async function removeFile(change: Change, id: string): Promise<void> {
  const file = await change.rows.load(files, id)
  if (file.use_count > 0) throw new ApiError('resource_in_use')
  deleteFile(change, file)
}

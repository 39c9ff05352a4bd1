import type { Readable } from 'node:stream'
import { contentHeaders } from '../../platform/files/content-headers.ts'
import type { FileStore } from '../../platform/files/store.ts'
import { ApiError } from '../../platform/kernel/errors.ts'
import { typeId } from '../../platform/kernel/ids.ts'
import { requireScopes } from '../../platform/resource/scopes.ts'
import type { Content } from '../../platform/resource/streams.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { copyKey } from './keys.ts'
import type { FileRow } from './queries.ts'

/** A URL of the store that leaks is worth nothing after this time. */
const downloadableForSeconds = 300

/** @throws ApiError `scope_missing` if the file needs more scopes than `files:read` */
export const requireScopesOf = ({ principal }: Ctx, { required_scopes }: FileRow): void =>
  requireScopes(principal.allows, ...(required_scopes ?? []))

/** The bytes of a file that is ready. */
export const bytesOfFile = (store: FileStore, tenantId: string, { id, copy }: FileRow): Promise<Readable> =>
  store.read(copyKey(tenantId, id, copy!))

/**
 * The bytes of a file whose reader has the right to it, or a URL of the store.
 * @throws ApiError `file_not_ready`, `file_rejected`
 */
export async function contentOf({ env, services }: Ctx, file: FileRow): Promise<Content> {
  if (file.status === 'rejected') throw new ApiError('file_rejected', { reason: file.rejected_reason })
  if (file.status !== 'ready') throw new ApiError('file_not_ready', { status: file.status })
  const { store } = services.files
  const key = copyKey(env.tenantId, file.id, file.copy!)
  const headers = contentHeaders({ filename: file.filename, contentType: file.content_type })
  const location = await store.signDownload?.(
    key,
    { contentType: headers['content-type']!, contentDisposition: headers['content-disposition']! },
    downloadableForSeconds,
  )
  if (location) return { location }
  return {
    headers,
    etag: `"${typeId('file', file.id)}"`, // the bytes of a file never change
    sizeBytes: file.size_bytes,
    read: (range) => store.read(key, range),
  }
}

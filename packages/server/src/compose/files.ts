import { openDirectoryStore } from '../platform/files/directory-store.ts'
import type { FileSettings } from '../platform/files/settings.ts'
import type { FileStore } from '../platform/files/store.ts'

/**
 * Opens the store that the settings select. The modules of S3 take 14 MB, so they are loaded for a bucket only.
 * @throws StoreUnavailable if the directory cannot be used. A bucket is not asked; `check` does that.
 */
export async function openFileStore({ store }: Pick<FileSettings, 'store'>): Promise<FileStore> {
  if (store.kind === 'directory') return openDirectoryStore(store.path)
  const { openS3Store } = await import('../platform/files/s3-store.ts')
  return openS3Store(store)
}

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { StoreSettings } from '../platform/files/settings.ts'
import { type FileStore, StoreUnavailable } from '../platform/files/store.ts'
import type { Db } from '../platform/postgres/database.ts'
import { findInstallationSecret, installationSecret } from '../platform/postgres/secrets.ts'
import { invocation } from './invocation.ts'

/*
 * The marker of the file store: an object with a random name, which the database knows. The first upload writes it.
 * From then on a process uses no store without this object: it would not find the files of other processes, and others
 * not those that it stores.
 */

/** The store does not have the marker. The message is one line with a solution. */
export class ForeignStore extends StoreUnavailable {
  override name = 'ForeignStore'

  constructor(settings: StoreSettings, marker: Buffer) {
    const fault = `${nameOfStore(settings)} is not where the files of this database are (it has no ${keyOf(marker)})`
    const remedy = `set BACKLINE_FILES_DIR or BACKLINE_FILES_S3_BUCKET as on the other servers, or restore the files; if all servers are to use this store from now on, run ${invocation} files adopt`
    super(`${fault}: ${remedy}`)
  }
}

const secretName = 'file_store'
const keyOf = (marker: Buffer) => `store/${marker.toString('hex')}`

/** The directory or bucket, for people. */
export const nameOfStore = (settings: StoreSettings): string =>
  settings.kind === 'directory' ? `the directory of files ${settings.path}` : `the bucket ${settings.bucket}`

/** The marker that the database knows; null before the first upload. */
export const findStoreMarker = (db: Pick<Db, 'write'>): Promise<Buffer | null> =>
  findInstallationSecret(db, secretName)

/** @throws ForeignStore, StoreUnavailable */
export async function requireMarker(
  store: FileStore,
  settings: StoreSettings,
  marker: Buffer,
): Promise<void> {
  if ((await store.sizeOf(keyOf(marker))) === null) throw new ForeignStore(settings, marker)
}

async function writeMarker(store: FileStore, marker: Buffer): Promise<void> {
  const text = Buffer.from(
    'The database of Backline recognizes its file store by the name of this file. Keep it.\n',
  )
  await store.write(keyOf(marker), Readable.from([text]), text.length)
}

/** Makes the store that of the database, whatever store was that before. @throws StoreUnavailable */
export async function adoptStore(store: FileStore, db: Db): Promise<void> {
  const marker = await findStoreMarker(db)
  if (marker) await writeMarker(store, marker)
  else await firstMarker(store, db)
}

/**
 * Makes a marker, in the store before in the database: after a crash between the two, the next upload makes another
 * one. Of two processes at once, the first that stores its marker decides.
 */
async function firstMarker(store: FileStore, db: Db): Promise<Buffer> {
  const own = randomBytes(32)
  await writeMarker(store, own)
  const marker = await installationSecret(db, secretName, own)
  if (!marker.equals(own)) await store.remove(keyOf(own)).catch(() => undefined) // an object that means nothing
  return marker
}

export type MarkedStore = FileStore & {
  /** Resolves if this is the store of the database, or it has none yet. @throws ForeignStore, StoreUnavailable */
  verify(): Promise<void>
}

/** The store, whose operations fail with ForeignStore unless it is that of the database. */
export function markedStore(store: FileStore, settings: StoreSettings, db: Db): MarkedStore {
  let isVerified = false
  let claiming: Promise<void> | null = null

  async function requireOwn(marker: Buffer): Promise<void> {
    await requireMarker(store, settings, marker)
    isVerified = true
  }
  async function verify(): Promise<void> {
    const marker = isVerified ? null : await findStoreMarker(db)
    if (marker) await requireOwn(marker)
  }
  async function claim(): Promise<void> {
    if (isVerified) return
    claiming ??= findStoreMarker(db)
      .then((known) => known ?? firstMarker(store, db))
      .then(requireOwn)
      .finally(() => {
        claiming = null
      })
    await claiming
  }
  const after =
    <Args extends unknown[], Result>(check: () => Promise<void>, use: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!isVerified) await check()
      return use(...args)
    }
  return {
    ...store,
    verify,
    signUpload: store.signUpload && after(claim, store.signUpload),
    signDownload: store.signDownload && after(verify, store.signDownload),
    write: after(claim, store.write),
    copy: after(verify, store.copy),
    sizeOf: after(verify, store.sizeOf),
    read: after(verify, store.read),
    remove: after(verify, store.remove),
  }
}

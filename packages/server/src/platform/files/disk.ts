import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { StoreUnavailable } from './store.ts'

/* Functions of the directory store for its file system: errors with a remedy, names that survive a power failure. */

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code

/** For `promise.catch`: returns the fallback for errors with one of these codes. */
export const orWhen =
  <T>(codes: readonly string[], fallback: T) =>
  (error: unknown): T => {
    if (codes.includes(codeOf(error) ?? '')) return fallback
    throw error
  }

const another = 'or set BACKLINE_FILES_DIR to another directory'
const ownership = `run Backline as the user that owns the directory, ${another}`
const connection = 'check the disk and the log of the kernel, or the connection to the file server'

/** Errors of the file system that pass, or that an administrator can mend. Streams of clients have no such codes. */
const remedies: Record<string, string> = {
  EACCES: ownership,
  EPERM: ownership,
  EROFS: `mount the file system writable, ${another}`,
  ENOSPC: `free some space, ${another}`,
  EDQUOT: `raise the quota, ${another}`,
  EIO: connection,
  ENXIO: connection,
  ENODEV: connection,
  ESTALE: connection,
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENFILE: 'raise the limit of open files of the system (fs.file-max)',
  ENOTDIR: `remove the file that is in the place of the directory, ${another}`,
  EEXIST: `remove the file that is in the place of the directory, ${another}`,
  ELOOP: `remove the symbolic links that form a loop, ${another}`,
}

const missing = `mount or restore the directory, ${another}`

/** For errors of the file system: StoreUnavailable with the directory and a remedy; other errors are returned. */
export function toStoreError(directory: string, error: unknown): unknown {
  const remedy = remedies[codeOf(error) ?? '']
  if (!(error instanceof Error) || !remedy) return error
  return new StoreUnavailable(`the directory of files ${directory} (${error.message}): ${remedy}`, {
    cause: error,
  })
}

export const cannotCreate = (directory: string): StoreUnavailable =>
  new StoreUnavailable(`the directory of files ${directory} cannot be created: create it, ${another}`)

/** The directory itself is away, such as that of a volume that is not mounted. */
export const directoryMissing = (directory: string): StoreUnavailable =>
  new StoreUnavailable(`the directory of files ${directory} does not exist: ${missing}`)

/**
 * Creates a directory below `base`, which must exist, for the owner alone. `mkdir` with `recursive` would never end in
 * a place such as /proc, which refuses with ENOENT.
 * @throws ENOENT if `base` is away
 */
export async function makeDirectoryBelow(
  base: string,
  directory: string,
  sync: (directory: string) => Promise<void>,
): Promise<void> {
  const make = () => mkdir(directory, { mode: 0o700 }).then(() => sync(parent), orWhen(['EEXIST'], undefined))
  const parent = path.dirname(directory)
  try {
    await make()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || parent === base) throw error
    await makeDirectoryBelow(base, parent, sync)
    await make()
  }
}

/** Writes the names of a directory to disk, so that a power failure does not undo changes of them. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(orWhen(['ENOENT'], null)) // removed since, by another process
  if (handle) await handle.sync().finally(() => handle.close())
}

/**
 * `syncDirectory` for many writers: those that come while a directory is being synced share the next sync. With 64
 * writers of small files in one directory this halves the time of a write; the other half is the sync of the file.
 */
export function sharedSync(): (directory: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()
  return (directory) => {
    const planned = next.get(directory)
    if (planned) return planned
    const before = running.get(directory) ?? Promise.resolve()
    const sync = before
      .catch(() => undefined)
      .then(() => {
        next.delete(directory)
        const current = syncDirectory(directory).finally(() => {
          if (running.get(directory) === current) running.delete(directory)
        })
        running.set(directory, current)
        return current
      })
    next.set(directory, sync)
    return sync
  }
}

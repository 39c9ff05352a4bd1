import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  copyFile,
  type FileHandle,
  link,
  open,
  opendir,
  rename,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { systemClock } from '../kernel/clock.ts'
import { checkStore } from './check.ts'
import {
  cannotCreate,
  codeOf,
  directoryMissing,
  makeDirectoryBelow,
  orWhen,
  sharedSync,
  toStoreError,
} from './disk.ts'
import { exactly } from './exact-size.ts'
import { streamOf } from './file-stream.ts'
import { checkedKey } from './keys.ts'
import { type FileStore, NoSuchBytes } from './store.ts'

/*
 * A directory with two parts on one file system. A file is written in `incoming`, under a random name, and moved to
 * its key in `objects` when it is complete. So `objects` contains whole files only, whenever the process is killed.
 */

/** A writer touches its file at each chunk, and a request without bytes ends long before. */
const leftoverAgeMs = 3 * 60 * 60 * 1_000

/** Errors of `link` on file systems without hard links, and at the maximum number of links of a file. */
const cannotLink = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']

const batchBytes = 256 * 1024

/** Writes some pieces while the next ones arrive: few large writes cost less than many small ones. */
async function writeAll(handle: FileHandle, bytes: AsyncIterable<Buffer>): Promise<void> {
  let pieces: Buffer[] = []
  let length = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    const some = pieces
    pieces = []
    length = 0
    await writing
    writing = writePieces(handle, some)
    writing.catch(() => undefined) // it is awaited later
  }
  try {
    for await (const piece of bytes) {
      pieces.push(piece)
      length += piece.length
      if (length >= batchBytes) await flush()
    }
    if (length > 0) await flush()
  } finally {
    await writing
  }
}

/** Writes at the position of the handle. A disk that is nearly full takes a part, and then reports the error. */
async function writePieces(handle: FileHandle, pieces: Buffer[]): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await handle.writev(pieces)
  if (bytesWritten < length) await handle.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
}

/** Creates the directory, an absolute path, if it does not exist. @throws StoreUnavailable if it cannot be used */
export async function openDirectoryStore(directory: string): Promise<FileStore> {
  const incoming = path.join(directory, 'incoming')
  const objects = path.join(directory, 'objects')
  const toError = (error: unknown) =>
    codeOf(error) === 'ENOENT' ? directoryMissing(directory) : toStoreError(directory, error)
  const sync = sharedSync()

  try {
    for (const each of [incoming, objects]) {
      await makeDirectoryBelow(path.parse(each).root, each, sync)
      await access(each, constants.R_OK | constants.W_OK | constants.X_OK)
    }
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? cannotCreate(directory) : toStoreError(directory, error)
  }

  const placeOf = (key: string) => path.join(objects, checkedKey(key))
  const draft = () => path.join(incoming, randomUUID())

  /** Rejects with StoreUnavailable for errors of the file system. */
  const using = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw toStoreError(directory, error)
    })

  /** A missing file is one thing, a directory that is not mounted another. @throws StoreUnavailable */
  const requireDirectory = () => access(objects).catch((error) => Promise.reject(toError(error)))

  /**
   * Puts a file to its place by `put`, and makes the directory of the place if it does not exist. `remove` may remove
   * an empty directory at the same time, so it is made again, a few times.
   */
  async function place(put: () => Promise<void>, to: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await put()
        return await sync(path.dirname(to))
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || attempt === 5) throw error
        await requireDirectory()
        await makeDirectoryBelow(objects, path.dirname(to), sync).catch(orWhen(['ENOENT'], undefined))
      }
    }
  }

  /**
   * One sync of the file, before its name shows, and one of the directory, which concurrent writers share. Without the
   * first, a power failure can leave a file of the right length without its bytes; without the second, none.
   */
  async function write(key: string, bytes: AsyncIterable<Buffer>, sizeBytes: number): Promise<void> {
    const to = placeOf(key)
    const from = draft()
    const handle = await open(from, 'wx', 0o600).catch((error) => {
      if (bytes instanceof Readable) bytes.destroy()
      throw toError(error)
    })
    try {
      try {
        await writeAll(handle, exactly(sizeBytes)(bytes))
        await handle.datasync()
      } finally {
        await handle.close()
      }
      await place(() => rename(from, to), to)
    } catch (error) {
      await unlink(from).catch(() => undefined) // the error of the write is the one to report
      throw error
    }
  }

  async function copy(from: string, to: string): Promise<boolean> {
    const [source, target] = [placeOf(from), placeOf(to)]
    if (!(await isFile(source))) return await isFile(target)
    try {
      await place(() => link(source, target).catch(orWhen(['EEXIST'], undefined)), target)
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return await isFile(target) // `from` was removed meanwhile
      if (!cannotLink.includes(codeOf(error) ?? '')) throw error
      return await copyBytes(source, target)
    }
  }

  async function copyBytes(source: string, target: string): Promise<boolean> {
    if (await isFile(target)) return true
    const between = draft()
    try {
      await copyFile(source, between, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      const handle = await open(between, 'r+')
      await handle.datasync().finally(() => handle.close())
      await place(() => rename(between, target), target)
      return true
    } catch (error) {
      await unlink(between).catch(() => undefined)
      if (codeOf(error) !== 'ENOENT') throw error
      if (await isFile(source)) throw directoryMissing(incoming)
      return false // `from` was removed meanwhile
    }
  }

  /** Null also for a directory, which is no key. */
  async function sizeOf(file: string): Promise<number | null> {
    const found = await stat(file).catch(orWhen(['ENOENT', 'ENOTDIR'], null))
    if (!found) await requireDirectory()
    return found?.isFile() ? found.size : null
  }
  const isFile = async (file: string) => (await sizeOf(file)) !== null

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const handle = await open(placeOf(key), 'r').catch(orWhen(['ENOENT', 'ENOTDIR'], null))
    if (!handle) {
      await requireDirectory()
      throw new NoSuchBytes(`There is no file ${key}`)
    }
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new NoSuchBytes(`There is no file ${key}`)
      const last = found.size - 1
      const { start, end } = range ?? { start: 0, end: last }
      return streamOf(handle, { start, end: Math.min(end, last) }, (error) => toStoreError(directory, error))
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async function remove(key: string): Promise<void> {
    const file = placeOf(key)
    const isGone = await unlink(file).then(() => false, orWhen(['ENOENT', 'ENOTDIR'], true))
    if (isGone) return await requireDirectory()
    await sync(path.dirname(file))
    for (let parent = path.dirname(file); parent !== objects; parent = path.dirname(parent)) {
      const isRemoved = await rmdir(parent).then(
        () => true,
        () => false, // it is in use
      )
      if (!isRemoved) return
    }
  }

  async function removeLeftovers(): Promise<void> {
    for await (const { name } of await opendir(incoming)) {
      const file = path.join(incoming, name)
      const found = await stat(file).catch(orWhen(['ENOENT'], null))
      if (found && found.mtimeMs < systemClock() - leftoverAgeMs)
        await unlink(file).catch(orWhen(['ENOENT'], undefined))
    }
  }

  const store: FileStore = {
    origin: null,
    signUpload: null,
    signDownload: null,
    write: (key, bytes, sizeBytes) => using(write(key, bytes, sizeBytes)),
    copy: (from, to) => using(copy(from, to)),
    sizeOf: (key) => using(sizeOf(placeOf(key))),
    read: (key, range) => using(read(key, range)),
    remove: (key) => using(remove(key)),
    removeLeftovers: () => removeLeftovers().catch((error) => Promise.reject(toError(error))),
    check: () => checkStore(store),
    close: async () => undefined,
  }
  return store
}

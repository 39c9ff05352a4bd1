import { createHash } from 'node:crypto'
import { openAsBlob, readFileSync, rmSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { Backline } from '@backline/sdk/backline.ts'
import { ApiError, BacklineError, FileRejectedError } from '@backline/sdk/errors.ts'
import type { BacklineOptions } from '@backline/sdk/options.ts'
import type { Access } from '../../access/access.ts'
import { CommandError } from '../../errors.ts'
import { openLines } from '../state.ts'

/** A file of the folder on the server, or the reason why the server does not take it. */
export type Uploaded = { path: string; file_id: string | null; reason: string | null; at: number }

export type NewFile = { path: string; filename: string; content_type?: string | undefined }

export type Uploader = {
  /** Uploads a file of the folder. */
  upload(file: NewFile, key: string): Promise<Uploaded>
  /** Uploads the file at this place. */
  uploadAt(place: string, file: NewFile, key: string): Promise<Uploaded>
}

/** The server deletes files that nothing uses after 24 hours. */
export const usableMs = 20 * 3_600_000
const mostRetries = 12

/** @param fetching replaces `fetch` */
export function openUploader(
  { url, key }: Access,
  root: string,
  signal: AbortSignal,
  fetching?: BacklineOptions['fetch'],
): Uploader {
  const { files } = new Backline({ baseUrl: url, apiKey: key, maxRetries: mostRetries, fetch: fetching })
  const uploader: Uploader = {
    upload: (file, key) => uploader.uploadAt(placeIn(root, file.path), file, key),
    async uploadAt(place, { path, filename, content_type: type }, key) {
      const usual = 'application/octet-stream'
      const attempts = type && type !== usual && isMediaType(type) ? [type, usual] : [usual]
      let reason = ''
      for (const content_type of attempts) {
        try {
          const blob = await openAsBlob(place)
          const idempotencyKey = digestOf(`${key} ${filename} ${path} ${blob.size} ${content_type}`)
          const { id } = await files.upload(blob, { filename, content_type }, { signal, idempotencyKey })
          return { path, file_id: id, reason: null, at: Date.now() }
        } catch (error) {
          reason = refusalOf(error, url)
        }
      }
      return { path, file_id: null, reason, at: Date.now() }
    },
  }
  return uploader
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40)

const isMediaType = (type: string): boolean => /^[\w.+-]+\/[\w.+-]+$/.test(type)

/** @throws CommandError for a place outside of the folder: the lines can come from anywhere */
function placeIn(root: string, path: string): string {
  const place = normalize(path)
  if (place.startsWith('..') || place.startsWith('/') || /^[A-Za-z]:/.test(place))
    throw new CommandError('path_invalid', `the attachment ${JSON.stringify(path)} is outside of the folder`)
  return join(root, place)
}

/** Why a file is not taken, so that the message goes without it. @throws CommandError if more than the file fails */
function refusalOf(error: unknown, url: string): string {
  if (error instanceof FileRejectedError) return `rejected: ${error.file.rejected_reason}`
  if (error instanceof ApiError && error.status === 422)
    return error.errors.map(({ pointer, detail }) => [pointer, detail].filter(Boolean).join(' ')).join('; ')
  if (error instanceof BacklineError) throw new CommandError(error.code, `${url}: ${error.message}`, error)
  if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as Error).name === 'NotFoundError')
    return 'is not in the folder'
  if ((error as Error).name === 'AbortError')
    throw new CommandError('cancelled', 'stopped; run the same command again to continue', error)
  throw error
}

/** The uploads of the part that is being written: a run that was stopped does not repeat them. */
export type UploadLog = {
  find(path: string): Uploaded | null
  add(uploaded: Uploaded): void
  close(): void
  /** Removes the file, too. */
  remove(): void
}

export function openUploadLog(file: string): UploadLog {
  const known = new Map<string, Uploaded>()
  let length = 0
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  for (const line of size > 0 ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []) {
    const uploaded: Uploaded = JSON.parse(line)
    known.set(uploaded.path, uploaded)
    length += Buffer.byteLength(line) + 1
  }
  const log = openLines(file, length)
  return {
    find(path) {
      const uploaded = known.get(path)
      return uploaded && Date.now() - uploaded.at < usableMs ? uploaded : null
    },
    add(uploaded) {
      known.set(uploaded.path, uploaded)
      log.append(uploaded)
      log.sync()
    },
    close: log.close,
    remove: () => rmSync(file, { force: true }),
  }
}

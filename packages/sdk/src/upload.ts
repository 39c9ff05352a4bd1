import { blobOf, type UploadBytes } from './bytes.ts'
import type { Client } from './client.ts'
import { ApiError, FileRejectedError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import type { Reply } from './reply.ts'
import { sha256Of } from './sha256.ts'
import type { CreateFileBody, File, FileWithUpload, MeFile, MeFileWithUpload } from './types.generated.ts'

/** A file that is uploaded. `undefined` means the default. */
export type NewUpload = {
  /** The name of the file, for people. Default: the name of a `File`, or `file`. */
  filename?: string | undefined
  /** The media type. Default: the type of a `Blob`, or `application/octet-stream`. */
  content_type?: string | undefined
  /**
   * The SHA-256 of the bytes in hexadecimal digits, with which the server compares what it has received. `compute`:
   * reads the bytes once more, before they are sent. Default: only the length is compared.
   */
  sha256?: 'compute' | (string & {}) | undefined
}

/** The operations of an upload, for files of the workspace or of an end user. */
type Operations<Uploaded extends File | MeFile> = {
  create(body: CreateFileBody, options?: RequestOptions): Reply<FileWithUpload | MeFileWithUpload>
  complete(id: string, options?: RequestOptions): Reply<Uploaded>
  retrieve(id: string, options?: RequestOptions): Reply<Uploaded>
}

const members = new Set<string>(['filename', 'content_type', 'sha256'] satisfies (keyof NewUpload)[])

/**
 * Creates a file, sends its bytes to the URL of its upload, and completes it. `idempotencyKey` identifies all of this:
 * a repetition with the same key continues where the first ended.
 * @throws BacklineError; FileRejectedError if the bytes are refused; TypeError for bytes or members that cannot be
 */
export async function upload<Uploaded extends File | MeFile>(
  client: Client,
  files: Operations<Uploaded>,
  bytes: UploadBytes,
  file: NewUpload = {},
  options: RequestOptions = {},
): Promise<Uploaded> {
  const unknown = Object.keys(file).find((name) => !members.has(name))
  if (unknown !== undefined)
    throw new TypeError(
      `upload has no member "${unknown}"; members are ${[...members].join(', ')}. Options come after them.`,
    )
  const blob = blobOf(bytes)
  const { filename = nameOf(blob), content_type = blob.type || 'application/octet-stream' } = file
  const sha256 = file.sha256 === 'compute' ? await sha256Of(blob) : file.sha256
  options.signal?.throwIfAborted()
  const body = { filename, content_type, size_bytes: blob.size, ...(sha256 === undefined ? {} : { sha256 }) }
  const { id, upload } = await files.create(body, options)
  await client.put(upload.url, upload.headers, blob, options).catch(unlessItIsThere)
  const done = await completed(files, id, options)
  if (done.status === 'rejected') throw new FileRejectedError(done)
  return done
}

/** A key belongs to one request, so `complete` has a new one. It does nothing the second time. */
async function completed<Uploaded extends File | MeFile>(
  files: Operations<Uploaded>,
  id: string,
  { idempotencyKey: _, ...options }: RequestOptions,
): Promise<Uploaded> {
  try {
    return await files.complete(id, options)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'file_rejected') return files.retrieve(id, options)
    throw error
  }
}

/** A repeated upload finds that the file has been completed meanwhile, or rejected. */
function unlessItIsThere(error: unknown): void {
  const isThere = error instanceof ApiError && ['invalid_transition', 'file_rejected'].includes(error.code)
  if (!isThere) throw error
}

const nameOf = (blob: Blob): string => (blob as { name?: string }).name || 'file'

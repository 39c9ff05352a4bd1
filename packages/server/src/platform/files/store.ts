import type { Readable } from 'node:stream'

/*
 * Where the bytes of files are kept: a directory of this machine, or a bucket of an S3-compatible store. Keys are made
 * by the server, of letters, digits, `-`, `.` and `/`, and never contain a text of a client. No key continues another
 * one after a `/`, because that would be a file and a directory of one name. A key is written at most
 * once after it has been read: what clients upload is copied to a new key before anybody looks at it.
 */

export type FileStore = {
  /** The origin of the store's URLs, for the policy of web pages; null if bytes go through this server. */
  origin: string | null
  /**
   * The request with which a client uploads the bytes straight to the store; null if uploads go through this server.
   * The length and the media type are signed, and the SHA-256 if it is known.
   */
  signUpload: ((key: string, upload: Upload, expiresInSeconds: number) => Promise<SignedUpload>) | null
  /**
   * The URL with which anybody downloads the bytes straight from the store; null if downloads go through this server.
   * The store then answers with these headers.
   */
  signDownload: ((key: string, headers: DownloadHeaders, expiresInSeconds: number) => Promise<string>) | null
  /**
   * Stores bytes as they arrive: all of them, or nothing if the stream fails. They are on the disk when it resolves.
   * The stream is destroyed if the store fails.
   * @throws WrongSize if the stream does not yield `sizeBytes`; StoreUnavailable; the error of the stream
   */
  write(key: string, bytes: AsyncIterable<Buffer>, sizeBytes: number): Promise<void>
  /**
   * Copies the bytes of one key to another one. Later writes of `from` do not change `to`. If `to` exists, it stays as
   * it is. Two concurrent copies to one key may both write it.
   * @returns false if there is nothing at either key
   * @throws StoreUnavailable
   */
  copy(from: string, to: string): Promise<boolean>
  /** The number of bytes; null if the key does not exist. @throws StoreUnavailable */
  sizeOf(key: string): Promise<number | null>
  /**
   * Reads the bytes, or those of a range, both ends included, which begins before the end of the bytes. The stream
   * must be read to its end or destroyed. A removal of the key does not end it.
   * @throws NoSuchBytes if the key does not exist; StoreUnavailable. The stream can fail with the latter, too.
   */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes the bytes, if there are any. @throws StoreUnavailable */
  remove(key: string): Promise<void>
  /** Removes what interrupted writes have left, if the store keeps such parts. */
  removeLeftovers(): Promise<void>
  /** Writes, reads and removes a small object. @throws StoreUnavailable with what fails, and how to mend it */
  check(): Promise<void>
  close(): Promise<void>
}

/** `sha256` in hexadecimal digits. */
export type Upload = { contentType: string; sizeBytes: number; sha256: string | null }

/** The client sends the bytes with these headers, and with the `Content-Length` that every client sends by itself. */
export type SignedUpload = { url: string; headers: Record<string, string> }

export type DownloadHeaders = { contentType: string; contentDisposition: string }

/** The store is away, or refuses: the same call may succeed later. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** True for a full disk. Other faults of a store may pass within seconds. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof StoreUnavailable && isDiskFull(error.cause)

/** True for the error of a file system without space. */
export const isDiskFull = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null | undefined)?.code === 'ENOSPC'

/** The stream had another number of bytes than announced. */
export class WrongSize extends Error {
  override name = 'WrongSize'
}

/** The key does not exist. */
export class NoSuchBytes extends Error {
  override name = 'NoSuchBytes'
}

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { checkStore } from './check.ts'
import { checkedKey } from './keys.ts'
import {
  addressOf,
  documentOf,
  openS3Client,
  type Patience,
  type S3Client,
  withRetries,
} from './s3-client.ts'
import { codeIn, errorOf } from './s3-errors.ts'
import type { Unsigned } from './s3-signing.ts'
import type { S3Settings } from './settings.ts'
import {
  type DownloadHeaders,
  type FileStore,
  NoSuchBytes,
  type StoreUnavailable,
  type Upload,
} from './store.ts'

/*
 * A bucket of an S3-compatible store. It needs the rights to get, put and delete objects, and none to list them. A
 * store answers 403 instead of 404 for a missing key to those who may not list, so a 403 means that the key is missing
 * as long as other objects can be read.
 */

/** The time for a copy: some stores answer when they have copied all bytes, up to 5 GiB. */
const copyMs = 300_000
/** The time for which rights to read are taken as unchanged. */
const rightsMs = 60_000

/** Opens the store without a request. @param patience other times for tests */
export function openS3Store(settings: S3Settings, patience: Partial<Patience> = {}): FileStore {
  const client = openS3Client(settings, patience)
  /** Takes a 403 as it is. */
  const strict = storeOf(settings, client, (error) => Promise.reject(error))
  let readableUntil = 0
  let proving: Promise<void> | null = null

  /** Reads an object that exists. @throws StoreUnavailable if that is refused */
  async function proveRights(): Promise<void> {
    if (performance.now() < readableUntil) return
    proving ??= strict.check().finally(() => {
      proving = null
    })
    await proving
    readableUntil = performance.now() + rightsMs
  }
  return { ...storeOf(settings, client, proveRights), check: strict.check }
}

/** @param onForbidden resolves if a 403 means that the key is missing */
function storeOf(
  settings: S3Settings,
  client: S3Client,
  onForbidden: (error: StoreUnavailable) => Promise<void>,
): FileStore {
  const requestFor = (method: string, key: string, more: Partial<Unsigned> = {}): Unsigned => ({
    method,
    path: client.pathOf(checkedKey(key)),
    ...more,
  })

  /** @returns false if the key does not exist. @throws StoreUnavailable for all other errors */
  async function isPresent(response: IncomingMessage): Promise<boolean> {
    const status = response.statusCode!
    if (status >= 200 && status < 300) return true
    const code = codeIn(await documentOf(client, response))
    if (status === 404 && code === 'NoSuchKey') return false
    const error = errorOf(settings, status, code)
    if (status !== 403 || (code !== null && code !== 'AccessDenied')) throw error
    await onForbidden(error)
    return false
  }

  /** For responses that have no content: reads them, and reports errors. */
  async function requireSuccess(response: IncomingMessage): Promise<string> {
    const document = await documentOf(client, response)
    const status = response.statusCode!
    if (status < 200 || status >= 300) throw errorOf(settings, status, codeIn(document))
    return document
  }

  async function write(key: string, given: AsyncIterable<Buffer>, sizeBytes: number): Promise<void> {
    const bytes = given instanceof Readable ? given : Readable.from(given, { objectMode: false })
    const headers = { 'content-type': 'application/octet-stream' }
    await requireSuccess(await client.upload(requestFor('PUT', key, { headers }), bytes, sizeBytes))
  }

  /** Null if the key does not exist, or cannot be read. */
  async function head(key: string): Promise<number | null> {
    const response = await client.send(requestFor('HEAD', key))
    response.resume()
    return response.statusCode === 200 ? Number(response.headers['content-length']) : null
  }

  /** A response to HEAD has no document that tells a missing key from a missing bucket; one to GET has. */
  async function sizeOf(key: string): Promise<number | null> {
    const size = await head(key)
    if (size !== null) return size
    const response = await client.send(requestFor('GET', key))
    if (!(await isPresent(response))) return null
    response.destroy()
    return Number(response.headers['content-length'])
  }

  async function copy(from: string, to: string): Promise<boolean> {
    if ((await head(to)) !== null) return true
    const source = client.bucketPathOf(checkedKey(from))
    const response = await client.send(
      requestFor('PUT', to, { headers: { 'x-amz-copy-source': source } }),
      copyMs,
    )
    if (!(await isPresent(response))) return (await head(to)) !== null
    // The status is sent before the copy begins, so the document has the result.
    const document = await documentOf(client, response)
    if (!/<CopyObjectResult[\s>]/.test(document)) throw errorOf(settings, 200, codeIn(document))
    return true
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const response = await client.send(requestFor('GET', key, { headers }))
    if (!(await isPresent(response))) throw new NoSuchBytes(`There is no file ${key}`)
    if (response.statusCode === (range ? 206 : 200)) return client.bodyOf(response)
    response.destroy()
    throw errorOf(settings, 501, 'RangeIgnored')
  }

  async function signUpload(key: string, upload: Upload, expiresInSeconds: number) {
    const headers: Record<string, string> = { 'content-type': upload.contentType }
    if (upload.sha256 !== null)
      headers['x-amz-checksum-sha256'] = Buffer.from(upload.sha256, 'hex').toString('base64')
    const signed = { ...headers, 'content-length': String(upload.sizeBytes) }
    const url = await client.signer.presign(requestFor('PUT', key, { headers: signed }), expiresInSeconds)
    return { url, headers }
  }

  function signDownload(key: string, headers: DownloadHeaders, expiresInSeconds: number): Promise<string> {
    const query = {
      'response-cache-control': 'private, no-store',
      'response-content-disposition': headers.contentDisposition,
      'response-content-type': headers.contentType,
    }
    return client.signer.presign(requestFor('GET', key, { query }), expiresInSeconds)
  }

  const store: FileStore = {
    origin: addressOf(settings).origin,
    signUpload,
    signDownload,
    write,
    copy: (from, to) => withRetries(() => copy(from, to)),
    sizeOf: (key) => withRetries(() => sizeOf(key)),
    read: (key, range) => withRetries(() => read(key, range)),
    remove: (key) =>
      withRetries(async () => void (await requireSuccess(await client.send(requestFor('DELETE', key))))),
    removeLeftovers: async () => undefined, // S3 keeps no part of an interrupted PUT
    check: () => checkStore(store),
    close: async () => client.close(),
  }
  return store
}

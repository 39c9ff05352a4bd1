import { createHash } from 'node:crypto'
import { type Body, succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import type { Client, Service } from './harness.ts'

/** A PNG of one transparent pixel. */
const png = samples.png

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export type Given = { bytes?: Buffer; filename?: string; content_type?: string; path?: string } & Body

/** Announces a file with these bytes. */
export async function announce(
  client: Client,
  {
    bytes = png,
    filename = 'pixel.png',
    content_type = 'image/png',
    path = '/v1/files',
    ...rest
  }: Given = {},
): Promise<Body> {
  return succeeded(await client.post(path, { filename, content_type, size_bytes: bytes.length, ...rest }))
}

/** Sends bytes to the URL of an upload. Servers of tests have other addresses than their settings say. */
export const put = (api: Pick<Service, 'url'>, { upload }: Body, bytes: Buffer): Promise<Response> =>
  fetch(api.url + new URL(upload.url).pathname, {
    method: upload.method,
    headers: upload.headers,
    body: bytes,
  })

/** A file with these bytes that is ready to be used. */
export async function file(api: Pick<Service, 'url'>, client: Client, given: Given = {}): Promise<Body> {
  const { path = '/v1/files', bytes = png } = given
  const announced = await announce(client, given)
  const { status } = await put(api, announced, bytes)
  if (status !== 200) throw new Error(`The upload was answered with ${status}`)
  return succeeded(await client.post(`${path}/${announced.id}/complete`))
}

/** Reads the bytes of a file. */
export const contentOf = (
  api: Pick<Service, 'url'>,
  { key }: Pick<Client, 'key'>,
  id: string,
  { path = '/v1/files', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${api.url}${path}/${id}/content`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    redirect: 'manual',
  })

import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { systemClock } from '../kernel/clock.ts'
import type { S3Settings } from './settings.ts'

/** SHA-256 of Node in the form that the library takes: an HMAC with a secret, a hash without. */
export class Sha256 {
  #hash: Hash | Hmac
  constructor(secret?: unknown) {
    this.#hash = secret ? createHmac('sha256', secret as Uint8Array) : createHash('sha256')
  }
  update(data: Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {
    throw new Error('A hash of Node has no reset, and signing needs none')
  }
}

export type Unsigned = {
  method: string
  /** With percent-encoding. */
  path: string
  query?: Record<string, string>
  /** In lower case, without `host`. All of them are signed. */
  headers?: Record<string, string>
}

export type Signer = {
  /** @returns the headers of a signed request. The body is not signed, unless `x-amz-content-sha256` is given */
  sign(request: Unsigned): Promise<Record<string, string>>
  /** @returns the URL of a request whose signature is in the query; its headers have to be sent as they are */
  presign(request: Unsigned, expiresInSeconds: number): Promise<string>
}

type Signing = Pick<S3Settings, 'region' | 'accessKeyId' | 'secretAccessKey'>

/**
 * Signs requests to S3 by AWS Signature Version 4. Unlike that of other services, a path of S3 is encoded once and not
 * normalized.
 * @param origin of the URL, such as `https://bucket.s3.eu-west-1.amazonaws.com`
 */
export function openSigner(origin: string, settings: Signing, clock = systemClock): Signer {
  const { region, accessKeyId, secretAccessKey } = settings
  const { protocol, host, hostname, port } = new URL(origin)
  const signature = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
  const prepared = ({ method, path, query = {}, headers = {} }: Unsigned) => ({
    method,
    protocol,
    hostname,
    ...(port && { port: Number(port) }),
    path,
    query,
    headers: { ...headers, host },
  })
  return {
    async sign(request) {
      const unsigned = prepared(request)
      const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...unsigned.headers }
      const signed = await signature.sign({ ...unsigned, headers }, { signingDate: new Date(clock()) })
      return signed.headers
    },
    async presign(request, expiresInSeconds) {
      const unsigned = prepared(request)
      const { query = {} } = await signature.presign(
        { ...unsigned, body: unknownBody },
        {
          expiresIn: expiresInSeconds,
          signingDate: new Date(clock()),
          unhoistableHeaders: new Set(Object.keys(unsigned.headers)),
        },
      )
      return `${origin}${request.path}?${queryOf(query as Record<string, string>)}`
    },
  }
}

/** A body that the library cannot hash, as it takes those of streams: the signature has `UNSIGNED-PAYLOAD` then. */
const unknownBody = {}

/** Encodes a query as the signature has it. `URLSearchParams` has `+` for a space. */
export const queryOf = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

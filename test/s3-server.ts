import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * A small S3 server in memory that is as strict as AWS about signatures, lengths, types and checksums, by code of its
 * own after "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3 API Reference, and that fails on
 * demand. It knows one bucket and one access key, which may not list.
 */

export type Seen = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}
type Failure = (request: Seen, response: ServerResponse) => unknown

export type S3Server = {
  origin: string
  objects: Map<string, { bytes: Buffer; contentType: string }>
  /** All requests so far. */
  seen: Seen[]
  /** Called for each request with a valid signature. Anything but false: it has answered, or never will. */
  failure: Failure | null
  /** Whether the access key may list, which makes a missing key 404 instead of 403. */
  lists: boolean
  close(): Promise<void>
}

export const s3 = {
  bucket: 'files',
  region: 'eu-test-1',
  accessKeyId: 'AKIATEST',
  secretAccessKey: 'geheim/geheim+geheim',
}

export function refuse(response: ServerResponse, status: number, code: string): true {
  const hidden = 'geheim/geheim+geheim' // a document of AWS contains what it has signed
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    response.req.method === 'HEAD'
      ? undefined
      : `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${hidden}</Message></Error>`,
  )
  return true
}

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const http = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.destroyed && !response.headersSent) refuse(response, 500, 'InternalError')
      if (!request.errored && !request.aborted) throw error
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: S3Server = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    objects,
    seen: [],
    failure: null,
    lists: false,
    close: () => {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }
  return server

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams: query } = new URL(request.url!, 'http://host')
    const { method = '', headers } = request
    const seen = { method, path: pathname, query, headers }
    server.seen.push(seen)
    const fault = faultOfSignature(request, pathname, query)
    if (fault) return refuse(response, 403, fault)
    if (server.failure?.(seen, response)) return
    const [, bucket, ...path] = decodeURIComponent(pathname).split('/')
    if (bucket !== s3.bucket) return refuse(response, 404, 'NoSuchBucket')
    const key = path.join('/')
    if (method === 'PUT' && headers['x-amz-copy-source'])
      return copy(headers['x-amz-copy-source'] as string, key, response)
    if (method === 'PUT') return await put(request, response, key)
    if (method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return refuse(response, ...missing())
    return get(found, request, response, query)
  }

  function missing(): [number, string] {
    return server.lists ? [404, 'NoSuchKey'] : [403, 'AccessDenied']
  }

  function copy(source: string, key: string, response: ServerResponse): unknown {
    const [, bucket, ...path] = decodeURIComponent(source).split('/')
    const found = objects.get(path.join('/'))
    if (bucket !== s3.bucket || !found) return refuse(response, ...missing())
    objects.set(key, found)
    return response.end(
      '<?xml version="1.0"?>\n<CopyObjectResult xmlns="x"><ETag>"1"</ETag></CopyObjectResult>',
    )
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string): Promise<unknown> {
    if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const checksum = request.headers['x-amz-checksum-sha256']
    if (checksum !== undefined && checksum !== createHash('sha256').update(bytes).digest('base64'))
      return refuse(response, 400, 'BadDigest')
    objects.set(key, { bytes, contentType: request.headers['content-type'] ?? 'binary/octet-stream' })
    return response.end()
  }

  function get(
    found: { bytes: Buffer; contentType: string },
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): unknown {
    const { bytes, contentType } = found
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    if (first !== undefined && Number(first) >= bytes.length) return refuse(response, 416, 'InvalidRange')
    const start = Number(first ?? 0)
    const end = Math.min(last ? Number(last) : bytes.length - 1, bytes.length - 1)
    response.writeHead(first === undefined ? 200 : 206, {
      'content-type': query.get('response-content-type') ?? contentType,
      'content-length': end + 1 - start,
      ...(query.has('response-content-disposition') && {
        'content-disposition': query.get('response-content-disposition')!,
      }),
      ...(query.has('response-cache-control') && { 'cache-control': query.get('response-cache-control')! }),
    })
    return response.end(method === 'HEAD' ? undefined : bytes.subarray(start, end + 1))
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const escaped = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

/** The error code for a request that is not signed right; null for one that is. */
function faultOfSignature(request: IncomingMessage, pathname: string, query: URLSearchParams): string | null {
  const { headers } = request
  const inQuery = query.has('X-Amz-Signature')
  const [, credential = '', signedHeaders = '', signature = ''] = inQuery
    ? ['', query.get('X-Amz-Credential')!, query.get('X-Amz-SignedHeaders')!, query.get('X-Amz-Signature')!]
    : (/^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? [])
  const time = (inQuery ? query.get('X-Amz-Date') : headers['x-amz-date']) as string | undefined
  const instant = Date.parse(String(time).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  const age = (Date.now() - instant) / 1_000
  if (Number.isNaN(age)) return 'AccessDenied'
  if (inQuery ? age > Number(query.get('X-Amz-Expires')) : Math.abs(age) > 900)
    return inQuery ? 'AccessDenied' : 'RequestTimeTooSkewed'
  const [accessKeyId, ...scope] = credential.split('/')
  if (accessKeyId !== s3.accessKeyId) return 'InvalidAccessKeyId'
  const [date = '', region = '', service = ''] = scope
  if (region !== s3.region) return 'AuthorizationHeaderMalformed'
  const names = signedHeaders.split(';')
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (mustBeSigned.some((name) => !names.includes(name)) || service !== 's3') return 'AccessDenied'
  const payload = inQuery ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256'])
  const canonical = [
    request.method,
    pathname
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const signing = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${s3.secretAccessKey}`, date))
  const expected = hmac(signing, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n'))
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : 'SignatureDoesNotMatch'
}

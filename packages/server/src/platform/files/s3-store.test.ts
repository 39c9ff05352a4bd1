import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunksOf, contentOf, storeSuite, write } from '@backline/test/file-stores.ts'
import { freePort } from '@backline/test/processes.ts'
import { refuse, type S3Server, s3, startS3Server } from '@backline/test/s3-server.ts'
import type { Patience } from './s3-client.ts'
import { openS3Store } from './s3-store.ts'
import type { S3Settings } from './settings.ts'
import { type FileStore, NoSuchBytes, StoreUnavailable, WrongSize } from './store.ts'

let server: S3Server
let store: FileStore
const opened: FileStore[] = []
const storeWith = (more: Partial<S3Settings> = {}, patience: Partial<Patience> = {}) => {
  const made = openS3Store({ kind: 's3', endpoint: server.origin, ...s3, ...more }, patience)
  opened.push(made)
  return made
}
before(async () => {
  server = await startS3Server()
  store = storeWith()
})
after(async () => {
  for (const each of opened) await each.close()
  await server.close()
})

storeSuite(
  'a bucket whose key may not list',
  () => store,
  () => 0,
)

describe('uploads by a client', { concurrency: 1 }, () => {
  const bytes = Buffer.from('bytes of a client')
  const upload = {
    contentType: 'text/plain; charset="utf-8"',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  const put = (url: string, headers: Record<string, string>, body: Buffer<ArrayBuffer> = bytes) =>
    fetch(url, { method: 'PUT', headers, body })

  test('are taken with the signed headers, and those alone', async () => {
    const key = `uploads/${randomUUID()}`
    const { url, headers } = await store.signUpload!(key, upload, 60)
    assert.deepEqual(headers, {
      'content-type': upload.contentType,
      'x-amz-checksum-sha256': Buffer.from(upload.sha256, 'hex').toString('base64'),
    })
    assert.equal(
      new URL(url).searchParams.get('X-Amz-SignedHeaders'),
      'content-length;content-type;host;x-amz-checksum-sha256',
    )
    const { 'x-amz-checksum-sha256': _, ...less } = headers
    const cases: [string, Record<string, string>, Buffer<ArrayBuffer>, number][] = [
      ['another type', { ...headers, 'content-type': 'text/html' }, bytes, 403],
      ['another length', headers, Buffer.concat([bytes, bytes]), 403],
      ['another checksum', { ...headers, 'x-amz-checksum-sha256': 'x' }, bytes, 403],
      ['no checksum', less, bytes, 403],
      ['another header of S3', { ...headers, 'x-amz-acl': 'public-read' }, bytes, 403],
      ['other bytes', headers, Buffer.from(bytes).fill('x'), 400],
    ]
    for (const [title, given, body, status] of cases) {
      assert.equal((await put(url, given, body)).status, status, title)
      assert.equal(await store.sizeOf(key), null, title)
    }
    assert.equal((await put(url.replace(key, `${key}x`), headers)).status, 403)
    assert.equal((await fetch(url)).status, 403, 'the URL is for PUT alone')
    assert.equal((await put(url, headers)).status, 200)
    assert.ok(bytes.equals(await contentOf(store, key)))
  })

  test('need no checksum if it is not known', async () => {
    const key = `uploads/${randomUUID()}`
    const { url, headers } = await store.signUpload!(key, { ...upload, sha256: null, sizeBytes: 0 }, 60)
    assert.deepEqual(headers, { 'content-type': upload.contentType })
    assert.equal((await put(url, headers, Buffer.alloc(0))).status, 200)
    assert.equal(await store.sizeOf(key), 0)
  })

  test('are refused when the time of the URL is over', async () => {
    const { url, headers } = await store.signUpload!('uploads/late', upload, -1)
    assert.equal((await put(url, headers)).status, 403)
  })
})

test('a download has the headers that were signed', async () => {
  const key = `downloads/${randomUUID()}`
  await write(store, key, Buffer.from('0123456789'))
  const signed = {
    contentType: 'text/plain; charset=utf-8',
    contentDisposition: `attachment; filename="a b.txt"; filename*=UTF-8''%C3%A4%20!'()*.txt`,
  }
  const url = await store.signDownload!(key, signed, 300)
  const response = await fetch(url, { headers: { range: 'bytes=2-4' } })
  assert.equal(response.status, 206)
  assert.equal(await response.text(), '234')
  assert.equal(response.headers.get('content-type'), signed.contentType)
  assert.equal(response.headers.get('content-disposition'), signed.contentDisposition)
  assert.equal(response.headers.get('cache-control'), 'private, no-store')
  assert.equal(new URL(url).searchParams.get('X-Amz-Expires'), '300')
  assert.equal((await fetch(url.replace('plain', 'html'))).status, 403)
})

describe('an error of the store', { concurrency: 1 }, () => {
  afterEach(() => {
    server.failure = null
    server.lists = false
  })
  const fault = (remedy: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StoreUnavailable, String(error))
    assert.match(error.message, remedy)
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /geheim|AKIATEST|Signature=/)
    return true
  }
  const rightsOnObjects =
    /403 AccessDenied\): give the key .* the rights s3:GetObject, .* on arn:aws:s3:::files\/\*$/

  for (const [title, settings, remedy] of [
    ['an unknown access key', { accessKeyId: 'AKIAOTHER' }, /correct BACKLINE_FILES_S3_ACCESS_KEY_ID/],
    ['a wrong secret', { secretAccessKey: 'geheim' }, /correct BACKLINE_FILES_S3_SECRET_ACCESS_KEY/],
    ['another region', { region: 'us-east-1' }, /correct BACKLINE_FILES_S3_REGION/],
    ['another bucket', { bucket: 'other' }, /correct BACKLINE_FILES_S3_BUCKET/],
  ] as const) {
    test(`${title}: each call names the setting`, async () => {
      const wrong = storeWith(settings)
      await assert.rejects(
        wrong.check(),
        (error) => fault(remedy)(error) && /cannot write in the bucket/.test(String(error)),
      )
      await assert.rejects(wrong.read('a/b'), fault(remedy))
      await assert.rejects(wrong.sizeOf('a/b'), fault(remedy))
      await assert.rejects(wrong.copy('a/b', 'a/c'), fault(remedy))
      await assert.rejects(wrong.remove('a/b'), fault(remedy))
      await assert.rejects(write(wrong, 'a/b', Buffer.from('x')), fault(remedy))
    })
  }

  for (const [method, step] of [
    ['PUT', 'write'],
    ['GET', 'read'],
    ['copy', 'copy'],
    ['DELETE', 'delete'],
  ] as const) {
    test(`the check says that the right to ${step} is missing`, async () => {
      server.failure = ({ method: sent, headers }, response) =>
        (headers['x-amz-copy-source'] ? 'copy' : sent) === method && refuse(response, 403, 'AccessDenied')
      await assert.rejects(storeWith().check(), (error) => {
        assert.match(String(error), new RegExp(`cannot ${step} in the bucket files`))
        return fault(rightsOnObjects)(error)
      })
    })
  }

  test('a 403 is a missing key only as long as other keys can be read', async () => {
    const fresh = storeWith()
    await assert.rejects(fresh.read('no/such'), NoSuchBytes)
    server.failure = ({ method }, response) => method !== 'PUT' && refuse(response, 403, 'AccessDenied')
    await assert.rejects(storeWith().read('no/such'), fault(rightsOnObjects))
    await assert.rejects(storeWith().sizeOf('no/such'), fault(rightsOnObjects))
  })

  test('a missing key is found missing at once if the key may list', async () => {
    server.lists = true
    const before = server.seen.length
    await assert.rejects(storeWith().read('no/such'), NoSuchBytes)
    assert.equal(server.seen.length - before, 1)
    assert.equal(await storeWith().sizeOf('no/such'), null)
    assert.equal(await storeWith().copy('no/such', 'no/other'), false)
  })

  for (const [status, code] of [
    [503, 'SlowDown'],
    [500, 'InternalError'],
    [429, 'TooManyRequests'],
  ] as const) {
    test(`${status} is tried again, and is away after that`, async () => {
      await write(store, 'errors/key', Buffer.from('x'))
      let failures = 1
      server.failure = (_, response) => failures-- > 0 && refuse(response, status, code)
      assert.equal(String(await contentOf(store, 'errors/key')), 'x')
      failures = 1
      await store.remove('errors/none')
      failures = 1_000
      await assert.rejects(store.read('errors/key'), fault(new RegExp(`${status} ${code}`)))
      assert.equal(failures, 997)
      await assert.rejects(write(store, 'errors/other', randomBytes(10)), fault(new RegExp(code)))
      assert.equal(failures, 996, 'an upload is not repeated')
    })
  }

  test('a copy that fails after its status is not taken as done', async () => {
    await write(store, 'errors/from', Buffer.from('x'))
    server.failure = ({ headers }, response) =>
      headers['x-amz-copy-source'] !== undefined && refuse(response, 200, 'InternalError')
    await assert.rejects(store.copy('errors/from', 'errors/to'), fault(/200 InternalError/))
    server.failure = ({ headers }, response) => headers['x-amz-copy-source'] !== undefined && response.end()
    await assert.rejects(store.copy('errors/from', 'errors/to'), fault(/\(200\)/))
  })

  test('a connection that is cut fails the reader, and is opened again for the next', async () => {
    await write(store, 'errors/long', randomBytes(500_000))
    server.failure = (_, response) => {
      response.writeHead(200, { 'content-length': 500_000 })
      response.write(randomBytes(100_000), () => response.destroy())
      return true
    }
    await assert.rejects(contentOf(store, 'errors/long'), fault(/cannot be reached/))
    server.failure = null
    assert.equal((await contentOf(store, 'errors/long')).length, 500_000)
  })

  test('an upload whose connection is cut is away, and its stream is destroyed', async () => {
    server.failure = (_, response) => {
      response.destroy()
      return true
    }
    const bytes = chunksOf(randomBytes(20_000_000))
    await assert.rejects(store.write('errors/cut', bytes, 20_000_000), fault(/cannot be reached/))
    assert.equal(bytes.destroyed, true)
  })

  test('an upload that is refused before its end destroys its stream', async () => {
    server.failure = (_, response) => refuse(response, 403, 'QuotaExceeded')
    const bytes = chunksOf(randomBytes(20_000_000))
    await assert.rejects(store.write('errors/refused', bytes, 20_000_000), StoreUnavailable)
    assert.equal(bytes.destroyed, true)
  })

  test('a store that ignores ranges is not read from its beginning', async () => {
    await write(store, 'errors/range', Buffer.from('0123456789'))
    server.failure = (_, response) => response.end('0123456789')
    await assert.rejects(store.read('errors/range', { start: 2, end: 4 }), fault(/RangeIgnored/))
  })

  test('a stream of the wrong size is never stored, whatever its chunks', async () => {
    for (const size of [1, 2, 3, 4])
      await assert.rejects(store.write('errors/size', chunksOf(Buffer.from('1234567'), size), 4), WrongSize)
    assert.equal(await store.sizeOf('errors/size'), null)
  })

  test('nobody at the endpoint, a name without an address, and a server that is no S3 are told', async () => {
    const port = await freePort()
    await assert.rejects(
      storeWith({ endpoint: `http://127.0.0.1:${port}` }).read('a/b'),
      fault(/ECONNREFUSED.*correct BACKLINE_FILES_S3_ENDPOINT, or start the store/),
    )
    await assert.rejects(
      storeWith({ endpoint: 'http://no.such.host' }).check(),
      fault(/cannot write in the bucket files at http:\/\/no.such.host cannot be reached/),
    )
    server.failure = (_, response) => response.writeHead(404).end('<html>Not found</html>')
    await assert.rejects(store.read('a/b'), fault(/\(404\): correct BACKLINE_FILES_S3_ENDPOINT or/))
  })

  test('a download that stalls fails', async () => {
    await write(store, 'errors/stalls', randomBytes(10))
    server.failure = (_, response) => response.writeHead(200, { 'content-length': 10 }).write('half')
    const hasty = storeWith({}, { idleMs: 50 })
    await assert.rejects(
      contentOf(hasty, 'errors/stalls'),
      fault(/does not answer \(no byte within 0.05 s\)/),
    )
  })

  test('a reader that pauses longer than the store may is not cut off', async () => {
    const bytes = randomBytes(20_000_000)
    await write(store, 'errors/paused', bytes)
    const stream = await storeWith({}, { idleMs: 1_000 }).read('errors/paused')
    await sleep(2_000)
    assert.ok(bytes.equals(await buffer(stream)))
  })

  test('an upload that stalls on the way fails', async () => {
    const bytes = new Readable({ read: () => undefined })
    bytes.push('half')
    bytes.push('x')
    const waiting = storeWith({}, { idleMs: 50 }).write('errors/half', bytes, 10)
    await assert.rejects(waiting, fault(/does not answer/))
    assert.equal(bytes.destroyed, true)
    assert.equal(await store.sizeOf('errors/half'), null)
  })

  test('a server that accepts and never answers is given up in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const silent = createServer(() => t.mock.timers.tick(10_000))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    t.after(() => silent.close())
    const { port } = silent.address() as { port: number }
    const waiting = storeWith({ endpoint: `http://127.0.0.1:${port}` }).remove('a/b')
    await assert.rejects(waiting, fault(/does not answer \(no response within 10 s\)/))
  })
})

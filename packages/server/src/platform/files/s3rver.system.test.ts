import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { contentOf, storeSuite } from '@backline/test/file-stores.ts'
import { cleanUp, repository, temporaryDirectory } from '@backline/test/processes.ts'
import { openS3Store } from './s3-store.ts'
import { type FileStore, StoreUnavailable } from './store.ts'

/*
 * The store on s3rver, an S3 server that others wrote: `npm ci --prefix tools/s3-server` installs it. It verifies no
 * signatures of version 4, only their form; s3-store.test.ts has a server that does.
 */

const folder = join(repository, 'tools/s3-server')
const skip = existsSync(join(folder, 'node_modules/s3rver')) ? false : 'tools/s3-server is not installed'

let server: ChildProcess
let store: FileStore
const settings = {
  kind: 's3' as const,
  bucket: 'files',
  endpoint: '',
  region: 'eu-west-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}

if (!skip) {
  before(async () => {
    server = spawn(process.execPath, [join(folder, 'serve.cjs'), temporaryDirectory()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [port] = await once(server.stdout!, 'data')
    settings.endpoint = `http://127.0.0.1:${Number(port)}`
    store = openS3Store(settings)
  })
  after(async () => {
    await store.close()
    server.kill()
    await once(server, 'exit')
    await cleanUp()
  })
  storeSuite(
    'a bucket of s3rver',
    () => store,
    () => 0,
    true,
  )
}

test('a browser of any origin may upload with the signed headers', { skip }, async () => {
  const bytes = Buffer.from('bytes of a browser')
  const key = `uploads/${randomUUID()}`
  const { url, headers } = await store.signUpload!(
    key,
    {
      contentType: 'text/plain; charset=utf-8',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
    60,
  )
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-amz-checksum-sha256',
    },
  })
  assert.equal(preflight.status, 200)
  assert.ok(preflight.headers.get('access-control-allow-origin'))
  assert.equal((await fetch(url, { method: 'PUT', headers, body: bytes })).status, 200)
  assert.ok(bytes.equals(await contentOf(store, key)))
  const signed = {
    contentType: 'application/pdf',
    contentDisposition: `attachment; filename*=UTF-8''%C3%A4.pdf`,
  }
  const download = await fetch(await store.signDownload!(key, signed, 300))
  assert.equal(download.headers.get('content-disposition'), signed.contentDisposition)
  assert.equal(download.headers.get('content-type'), signed.contentType)
  assert.equal(await download.text(), String(bytes))
})

test('a wrong key or bucket is refused', { skip }, async () => {
  for (const [wrong, remedy] of [
    [{ accessKeyId: 'geheim' }, /correct BACKLINE_FILES_S3_ACCESS_KEY_ID/],
    [{ bucket: 'other' }, /correct BACKLINE_FILES_S3_BUCKET/],
  ] as const) {
    const refused = openS3Store({ ...settings, ...wrong })
    await assert.rejects(refused.check(), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable)
      assert.match(error.message, remedy)
      return true
    })
    await refused.close()
  }
})

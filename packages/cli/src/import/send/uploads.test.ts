import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type Client, service } from '@backline/test/harness.ts'
import { temporaryFolder } from '../recorded.test-fixtures.ts'
import { openUploader, openUploadLog } from './uploads.ts'

/* Uploads to a real server; send.test.ts has the rest of an import. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('uploading the files of a folder', () => {
  const api = service()
  let client: Client
  before(async () => {
    client = (await api.world()).test
  })
  const uploaderOf = (root: string) =>
    openUploader(
      { url: api.url, key: client.key, environment: 'test', listenSecret: '' },
      root,
      new AbortController().signal,
      // Servers of tests have other addresses than the URLs of their uploads say.
      (url, init) => fetch(url.includes('/v1/uploads/') ? api.url + new URL(url).pathname : url, init),
    )

  test('makes them ready, once for each key', async (t) => {
    const root = temporaryFolder(t)
    writeFileSync(join(root, 'a.png'), png)
    const file = { path: 'a.png', filename: 'shot.png', content_type: 'image/png' }
    const { upload } = uploaderOf(root)
    const [first, again, other] = [
      await upload(file, 'k1'),
      await upload(file, 'k1'),
      await upload(file, 'k2'),
    ]
    const { body } = await client.get(`/v1/files/${first.file_id}`)
    assert.deepEqual(
      [body.status, body.filename, body.content_type, body.size_bytes],
      ['ready', 'shot.png', 'image/png', png.length],
    )
    assert.equal(again.file_id, first.file_id)
    assert.notEqual(other.file_id, first.file_id)
  })

  test('takes a file whose bytes are of another type than its source says', async (t) => {
    const root = temporaryFolder(t)
    writeFileSync(join(root, 'a.txt'), png)
    for (const content_type of ['application/pdf', 'no type', undefined]) {
      const file = { path: 'a.txt', filename: 'a.png', content_type }
      const { file_id, reason } = await uploaderOf(root).upload(file, `type ${content_type}`)
      assert.equal(reason, null)
      const { body } = await client.get(`/v1/files/${file_id}`)
      assert.deepEqual([body.status, body.content_type], ['ready', 'image/png'])
    }
  })

  test('says why the server does not take a file, or that there is none', async (t) => {
    const root = temporaryFolder(t)
    writeFileSync(join(root, 'run.exe'), 'MZ')
    const { upload } = uploaderOf(root)
    const refused = await upload({ path: 'run.exe', filename: 'run.exe' }, 'k')
    assert.deepEqual([refused.file_id, /^\/filename /.test(refused.reason!)], [null, true])
    const missing = await upload({ path: 'none.txt', filename: 'none.txt' }, 'k')
    assert.deepEqual([missing.file_id, missing.reason], [null, 'is not in the folder'])
  })

  test('is remembered across runs, with half a line at the end or not', (t) => {
    const place = join(temporaryFolder(t), 'uploads.ndjson')
    const log = openUploadLog(place)
    log.add({ path: 'a', file_id: 'file_1', reason: null, at: Date.now() })
    log.add({ path: 'b', file_id: 'file_2', reason: null, at: Date.now() - 21 * 3_600_000 })
    log.close()
    writeFileSync(place, '{"path":"c","file', { flag: 'a' })
    const again = openUploadLog(place)
    again.add({ path: 'd', file_id: 'file_4', reason: null, at: Date.now() })
    again.close()
    const { find, close } = openUploadLog(place)
    // The server deletes what nothing uses within a day.
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((path) => find(path)?.file_id),
      ['file_1', undefined, undefined, 'file_4'],
    )
    close()
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { samples } from '@backline/test/file-samples.ts'
import { announce, contentOf } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { s3, startS3Server } from '@backline/test/s3-server.ts'
import { uuidOf } from '../../platform/kernel/ids.ts'
import { sql } from '../../platform/postgres/sql.ts'

/* Files in a bucket, which clients write and read by signed URLs. */

const bucket = await startS3Server()
after(() => bucket.close())

const api = service({
  environment: {
    BACKLINE_FILES_DIR: '',
    BACKLINE_FILES_S3_BUCKET: s3.bucket,
    BACKLINE_FILES_S3_ENDPOINT: bucket.origin,
    BACKLINE_FILES_S3_REGION: s3.region,
    BACKLINE_FILES_S3_ACCESS_KEY_ID: s3.accessKeyId,
    BACKLINE_FILES_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  },
})

async function upload(client: Client): Promise<Body> {
  const { id, upload } = await announce(client)
  const sent = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: samples.png })
  assert.equal(sent.status, 200)
  return succeeded(await client.post(`/v1/files/${id}/complete`))
}

test('a file of a bucket is served as its type alone, whatever parameters were accepted before', async () => {
  const { test } = await api.world()
  const { id } = await upload(test)
  await api.db.write(sql`update files set content_type = 'image/gif;x,text/html', version = version + 1
    where id = ${uuidOf('file', id)}`)
  const { status, headers } = await contentOf(api, test, id)
  assert.equal(status, 302)
  const read = await fetch(headers.get('location')!)
  assert.equal(read.headers.get('content-type'), 'image/gif')
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), samples.png)
})

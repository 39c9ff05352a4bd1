import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { secretKey, urlOf } from './databases.ts'
import { succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import { announce, contentOf, put } from './files.ts'
import { clientOf, service } from './harness.ts'
import { cleanUp, launch, repository, startServer } from './processes.ts'
import { s3, startS3Server } from './s3-server.ts'

/* Two processes with a directory of their own each and one database, as deploy/kubernetes starts them. */

const [withBucket, withDirectories] = [service({}), service({})]
const bucket = await startS3Server()
after(() => bucket.close())
after(cleanUp)

/** The settings that the example names, with the values of this test. */
function settingsOfExample(connection: Connection): Record<string, string> {
  const manifest = readFileSync(join(repository, 'deploy/kubernetes/backline.yaml'), 'utf8')
  const names = [...manifest.matchAll(/(?<=^ {2}|--from-literal=)[A-Z][A-Z0-9_]+(?=[:=])/gm)].map(
    ([name]) => name,
  )
  const values: Record<string, string> = {
    DATABASE_URL: urlOf(connection),
    BACKLINE_SECRET_KEY: secretKey,
    BACKLINE_PUBLIC_URL: 'https://support.example.com',
    BACKLINE_FILES_S3_BUCKET: s3.bucket,
    BACKLINE_FILES_S3_REGION: s3.region,
    BACKLINE_FILES_S3_ACCESS_KEY_ID: s3.accessKeyId,
    BACKLINE_FILES_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    BACKLINE_METRICS_TOKEN: 'token',
  }
  for (const name of Object.keys(values)) assert.ok(names.includes(name), `${name} is not in the example`)
  return { ...values, BACKLINE_FILES_S3_ENDPOINT: bucket.origin }
}

test('processes with a bucket read the files of each other, and start while it is away', async () => {
  const { test } = await withBucket.world()
  const environment = settingsOfExample(withBucket.connection)
  const [a, b] = [await startServer({ environment }), await startServer({ environment })]
  const announced = await announce(clientOf(a.url, test.key))
  const { url, headers } = announced.upload
  assert.equal((await fetch(url, { method: 'PUT', headers, body: samples.png })).status, 200)
  const atB = clientOf(b.url, test.key)
  assert.equal(succeeded(await atB.post(`/v1/files/${announced.id}/complete`)).status, 'ready')
  const location = (await contentOf(b, test, announced.id)).headers.get('location')!
  assert.deepEqual(Buffer.from(await (await fetch(location)).arrayBuffer()), samples.png)
  await Promise.all([a.stop(), b.stop()])

  bucket.failure = (_, response) => response.destroy()
  const c = await startServer({ environment })
  assert.match(c.stdout, /the file store is unavailable/)
  bucket.failure = null
  await announce(clientOf(c.url, test.key))
  await c.stop()
})

test('a process without the files of another one refuses to start, and names the remedy', async () => {
  const { test } = await withDirectories.world()
  const environment = { DATABASE_URL: urlOf(withDirectories.connection) }
  const begin = () => startServer({ environment: { ...environment, BACKLINE_ROLE: 'api' } })
  const [a, b] = [await begin(), await begin()]
  assert.match(a.stdout, /files are in .* which other machines do not have/)
  const announced = await announce(clientOf(a.url, test.key))
  assert.equal((await put(a, announced, samples.png)).status, 200)
  const { status, body } = await clientOf(b.url, test.key).post(`/v1/files/${announced.id}/complete`)
  assert.deepEqual([status, body.params.reason], [503, 'file_store_unavailable'])
  await b.stop()
  const again = launch({ environment: b.environment })
  assert.equal((await again.ended()).code, 1)
  assert.match(again.stderr, /is not where the files of this database are .* BACKLINE_FILES_S3_BUCKET/)
  assert.deepEqual(again.stderr.trim().split('\n').length, 1)
  const atA = clientOf(a.url, test.key)
  assert.equal(succeeded(await atA.post(`/v1/files/${announced.id}/complete`)).status, 'ready')
  await a.stop()
})

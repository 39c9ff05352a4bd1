import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { samples } from '@backline/test/file-samples.ts'
import { announce, contentOf, put } from '@backline/test/files.ts'
import { type Another, type Client, service } from '@backline/test/harness.ts'
import { cleanUp, temporaryDirectory } from '@backline/test/processes.ts'
import { refuse, s3, startS3Server } from '@backline/test/s3-server.ts'

/* Several processes of one database, and their file stores. */

const bucket = await startS3Server()
after(() => bucket.close())
after(cleanUp)

const bucketSettings = {
  BACKLINE_FILES_DIR: '',
  BACKLINE_FILES_S3_BUCKET: s3.bucket,
  BACKLINE_FILES_S3_ENDPOINT: bucket.origin,
  BACKLINE_FILES_S3_REGION: s3.region,
  BACKLINE_FILES_S3_ACCESS_KEY_ID: s3.accessKeyId,
  BACKLINE_FILES_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
}

const newDirectory = () => join(temporaryDirectory(), 'files')
const objectsIn = async (directory: string) => (await readdir(join(directory, 'objects'))).length
const refusal = ({ status, body }: { status: number; body: Body }) => [status, body.params?.reason]
const away = [503, 'file_store_unavailable']
const putAt = async (api: Pick<Another, 'url'>, announced: Body) => {
  const response = await put(api, announced, samples.png)
  return response.status === 200 ? [200] : refusal({ status: 503, body: (await response.json()) as Body })
}
const complete = (client: Client, { id }: Body) => client.post(`/v1/files/${id}/complete`)

describe('directories', () => {
  const api = service({})

  test('a process with another directory than the first upload neither stores nor loses files', async () => {
    const { test } = await api.world()
    const directory = newDirectory()
    const other = await api.another({ environment: { BACKLINE_FILES_DIR: directory } })
    const there = other.client(test.key)
    const [first, second] = [await announce(test), await announce(test)]
    assert.deepEqual(await putAt(api, first), [200])
    assert.deepEqual(await putAt(other, second), away)
    assert.deepEqual(refusal(await complete(there, first)), away)
    assert.equal(succeeded(await complete(test, first)).status, 'ready')
    assert.deepEqual(refusal(await there.get(`/v1/files/${first.id}/content`)), away)
    assert.equal(await objectsIn(directory), 0)
    assert.deepEqual(await putAt(api, second), [200])
    assert.equal(succeeded(await complete(test, second)).status, 'ready')
  })

  test('a process with the same directory completes and reads what another one received', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const announced = await announce(test)
    assert.deepEqual(await putAt(api, announced), [200])
    assert.equal(succeeded(await complete(other.client(test.key), announced)).status, 'ready')
    const read = await contentOf(other, test, announced.id)
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), samples.png)
  })
})

describe('first uploads at the same time', () => {
  const [one, same] = [service({}), service({})]

  test('of two directories make one of them that of the database', async () => {
    const { test } = await one.world()
    const other = await one.another({ environment: { BACKLINE_FILES_DIR: newDirectory() } })
    const outcomes = await Promise.all(
      [one, other, one, other].map(async (api) => putAt(api, await announce(test))),
    )
    const [here, there] = outcomes
    assert.deepEqual(outcomes, [here, there, here, there])
    assert.deepEqual([here, there].sort(), [[200], away])
  })

  test('to one directory all succeed', async () => {
    const { test } = await same.world()
    const servers = [same, await same.another(), await same.another()]
    await Promise.all(
      servers.map(async (api) => assert.deepEqual(await putAt(api, await announce(test)), [200])),
    )
    assert.equal((await readdir(join(same.filesDir, 'objects/store'))).length, 1)
  })
})

describe('a bucket', () => {
  const api = service({ environment: bucketSettings })

  test('that was away at the start is verified when it is back', async () => {
    const { test } = await api.world()
    const create = (client: Client) =>
      client.post('/v1/files', { filename: 'a.png', content_type: 'image/png', size_bytes: 1 })
    succeeded(await create(test))
    const [own, foreign] = [
      await api.another({ environment: bucketSettings }),
      await api.another({ environment: { BACKLINE_FILES_DIR: newDirectory() } }),
    ].map((each) => each.client(test.key))
    bucket.failure = (_, response) => refuse(response, 403, 'InvalidAccessKeyId')
    assert.deepEqual(refusal(await create(own!)), away)
    bucket.failure = null
    succeeded(await create(own!))
    const announced = succeeded(await create(foreign!)) // nothing is stored yet
    assert.deepEqual(refusal(await complete(foreign!, announced)), away)
  })
})

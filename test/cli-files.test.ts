import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { expectations, run } from './command-line.ts'
import { secretKey, urlOf } from './databases.ts'
import { file } from './files.ts'
import { service } from './harness.ts'
import { cleanUp, freePort, temporaryDirectory } from './processes.ts'
import { type S3Server, s3, startS3Server } from './s3-server.ts'

/* `backline doctor` and the store of files. */

const { diagnose, succeed } = expectations(run)
const api = service({})

describe('doctor and the store of files', { concurrency: 1 }, () => {
  let server: S3Server
  before(async () => {
    server = await startS3Server()
  })
  after(() => server.close())
  after(cleanUp)

  const environment = () => ({ BACKLINE_DATA_DIR: join(temporaryDirectory(), 'data'), PORT: '0' })
  const bucket = () => ({
    ...environment(),
    BACKLINE_FILES_S3_BUCKET: s3.bucket,
    BACKLINE_FILES_S3_ENDPOINT: server.origin,
    BACKLINE_FILES_S3_REGION: s3.region,
    BACKLINE_FILES_S3_ACCESS_KEY_ID: s3.accessKeyId,
    BACKLINE_FILES_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  })

  test('a directory that the first start creates is not created', async () => {
    const given = environment()
    const { code, check } = await diagnose(given)
    assert.equal(code, 0)
    assert.equal(check('files').detail, `${given.BACKLINE_DATA_DIR}/files; created at the first start`)
    assert.ok(!existsSync(given.BACKLINE_DATA_DIR))
  })

  test('a directory is tried, and is empty after that', async () => {
    const directory = join(temporaryDirectory(), 'files')
    mkdirSync(directory)
    const { code, check } = await diagnose({ ...environment(), BACKLINE_FILES_DIR: directory })
    assert.equal(code, 0)
    assert.match(check('files').detail, /files: an object was written, read, copied and deleted$/)
    assert.deepEqual(readdirSync(directory, { recursive: true }).sort(), ['incoming', 'objects'])
  })

  test('a file in the place of the directory is a fault', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const { code, check } = await diagnose({ ...environment(), BACKLINE_FILES_DIR: file })
    assert.equal(code, 1)
    assert.match(check('files').detail, /ENOTDIR/)
    assert.match(check('files').advice!, /^remove the file .* or set BACKLINE_FILES_DIR/)
  })

  test('a directory that cannot be created is a fault', async () => {
    const given = environment()
    const files = await diagnose({ ...given, BACKLINE_FILES_DIR: '/proc/files' })
    assert.equal(files.code, 1)
    assert.match(files.check('files').detail, /\/proc\/files cannot be created$/)
    const data = await diagnose({ ...given, BACKLINE_DATA_DIR: '/proc/data' })
    assert.equal(data.check('data directory').detail, '/proc/data: cannot be created')
    assert.match(data.check('data directory').advice!, /set BACKLINE_DATA_DIR/)
  })

  test('a file in the place of the data directory is a fault', async () => {
    const place = join(temporaryDirectory(), 'data')
    writeFileSync(place, '')
    const { code, check } = await diagnose({ ...environment(), BACKLINE_DATA_DIR: place })
    assert.equal(code, 1)
    assert.equal(check('data directory').detail, `${place}: is a file`)
    assert.match(check('files').detail, /ENOTDIR/)
  })

  test('a collector that is away is a warning, and one that responds is not', async () => {
    const ofCollector = async (endpoint: string) => {
      const { code, check } = await diagnose({ ...environment(), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
      assert.equal(code, 0)
      return check('collector')
    }
    assert.equal((await ofCollector(server.origin)).status, 'ok')
    const away = await ofCollector(`http://127.0.0.1:${await freePort()}`)
    assert.deepEqual([away.status, /ECONNREFUSED/.test(away.detail)], ['warning', true])
  })

  test('a public URL without TLS is a warning: the cookie of the console is not Secure', async () => {
    const { code, check } = await diagnose({
      ...environment(),
      HOST: '0.0.0.0',
      BACKLINE_PUBLIC_URL: 'http://support.example.com',
    })
    assert.deepEqual([code, check('settings').status], [0, 'warning'])
    assert.match(check('settings').advice!, /cookie of the console is not Secure/)
  })

  test('a bucket is tried, and is empty after that', async () => {
    const { code, check } = await diagnose(bucket())
    assert.equal(code, 0)
    assert.equal(check('files').detail, 'bucket files: an object was written, read, copied and deleted')
    assert.deepEqual(check('files').facts, {
      kind: 's3',
      bucket: s3.bucket,
      endpoint: server.origin,
      region: s3.region,
      max_bytes: 26_214_400,
    })
    assert.equal(server.objects.size, 0)
  })

  test('another store than that of the database is a fault, until it is adopted', async () => {
    const { test: client } = await api.world()
    await file(api, client)
    const database = { ...environment(), DATABASE_URL: urlOf(api.connection), BACKLINE_SECRET_KEY: secretKey }
    const [own, other] = [api.filesDir, join(temporaryDirectory(), 'files')].map((directory) => ({
      ...database,
      BACKLINE_FILES_DIR: directory,
    }))
    assert.equal((await diagnose(own!)).code, 0)
    for (const given of [other!, { ...bucket(), ...database }]) {
      const { code, check } = await diagnose(given)
      assert.equal(code, 1)
      assert.match(check('files').detail, /is not where the files of this database are/)
      assert.match(check('files').advice!, /^set BACKLINE_FILES_DIR .* files adopt$/)
    }
    assert.match(await succeed(other!, 'files', 'adopt'), /^From now on the directory of files \/.* is the/)
    assert.equal((await diagnose(other!)).code, 0)
  })

  test('a bucket with a wrong secret is a fault that names the setting', async () => {
    const wrong = { ...bucket(), BACKLINE_FILES_S3_SECRET_ACCESS_KEY: 'geheim' }
    const { code, check } = await diagnose(wrong)
    assert.equal(code, 1)
    assert.match(check('files').detail, /^cannot write in the bucket files .*\(403 SignatureDoesNotMatch\)$/)
    assert.equal(check('files').advice, 'correct BACKLINE_FILES_S3_SECRET_ACCESS_KEY')
    assert.doesNotMatch(JSON.stringify([check('files'), check('settings')]), /geheim/)
  })
})

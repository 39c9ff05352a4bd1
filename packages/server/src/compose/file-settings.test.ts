import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig, settings } from './config.ts'

const keys = {
  BACKLINE_FILES_S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  BACKLINE_FILES_S3_SECRET_ACCESS_KEY: 'a secret'.replace(' ', '/'),
}
const bucket = { BACKLINE_FILES_S3_BUCKET: 'my.files', ...keys }

test('files are in the data directory by default', () => {
  assert.deepEqual(readConfig({ BACKLINE_DATA_DIR: '/srv/backline' }).files, {
    store: { kind: 'directory', path: '/srv/backline/files' },
    maxBytes: 26_214_400,
    clamd: null,
  })
})

test('a directory of their own is taken from the working directory', () => {
  const { store } = readConfig({ BACKLINE_FILES_DIR: ' uploads ' }).files
  assert.deepEqual(store, { kind: 'directory', path: join(process.cwd(), 'uploads') })
})

test('a bucket is one of AWS in us-east-1 unless an endpoint and a region are set', () => {
  const store = {
    kind: 's3',
    bucket: 'my.files',
    endpoint: null,
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'a/secret',
  }
  assert.deepEqual(readConfig(bucket).files.store, store)
  const elsewhere = {
    ...bucket,
    BACKLINE_FILES_S3_ENDPOINT: 'HTTP://[::1]:9000/',
    BACKLINE_FILES_S3_REGION: 'garage',
    BACKLINE_FILES_MAX_BYTES: '5368709120',
  }
  const { files } = readConfig(elsewhere)
  assert.deepEqual(files.store, { ...store, endpoint: 'http://[::1]:9000', region: 'garage' })
  assert.equal(files.maxBytes, 5 * 1024 ** 3)
})

test('clamd has a host and a port, or a socket', () => {
  for (const [text, address] of [
    ['127.0.0.1:3310', { host: '127.0.0.1', port: 3310 }],
    ['clamav.internal:1', { host: 'clamav.internal', port: 1 }],
    ['[::1]:3310', { host: '::1', port: 3310 }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ] as const)
    assert.deepEqual(readConfig({ BACKLINE_CLAMD: text }).files.clamd, address)
})

test('faults of several settings are told together, without a key', () => {
  const read = (environment: NodeJS.ProcessEnv): string[] => {
    try {
      readConfig(environment)
      return []
    } catch (error) {
      assert.ok(error instanceof ConfigError)
      assert.doesNotMatch(error.message, /a\/secret|AKIA/)
      return error.message.split('\n')
    }
  }
  assert.deepEqual(read(bucket), [])
  assert.deepEqual(read(keys), [
    'BACKLINE_FILES_S3_ACCESS_KEY_ID requires BACKLINE_FILES_S3_BUCKET',
    'BACKLINE_FILES_S3_SECRET_ACCESS_KEY requires BACKLINE_FILES_S3_BUCKET',
  ])
  assert.deepEqual(read({ ...bucket, BACKLINE_FILES_DIR: 'files' }), [
    'BACKLINE_FILES_DIR and BACKLINE_FILES_S3_BUCKET exclude each other: files are in one of them',
  ])
  assert.equal(read({ ...bucket, BACKLINE_FILES_S3_ENDPOINT: 'https://s3.example.com/bucket' }).length, 1)
  assert.equal(read({ BACKLINE_FILES_S3_REGION: 'eu', BACKLINE_CLAMD: ':1', PORT: 'x' }).length, 3)
})

test('doctor shows the settings of a bucket without its keys', () => {
  assert.deepEqual(settings(bucket).set, {
    BACKLINE_FILES_S3_ACCESS_KEY_ID: '***',
    BACKLINE_FILES_S3_BUCKET: 'my.files',
    BACKLINE_FILES_S3_SECRET_ACCESS_KEY: '***',
  })
})

test('a process of one role with files in its data directory is told that others do not have them', () => {
  const server = { DATABASE_URL: 'postgres://localhost/backline', BACKLINE_ROLE: 'api' }
  assert.match(readConfig(server).remarks.join(), /^files are in .*data, which other machines do not have/)
  for (const given of [bucket, { BACKLINE_FILES_DIR: '/mnt/files' }, { BACKLINE_ROLE: 'all' }])
    assert.deepEqual(readConfig({ ...server, ...given }).remarks, [])
})

test('a public URL without TLS is told to send the cookie of the console unencrypted', () => {
  const remarks = (url: string) =>
    readConfig({
      BACKLINE_PUBLIC_URL: url,
      HOST: '0.0.0.0',
      BACKLINE_TRUSTED_PROXIES: '127.0.0.1/32',
    }).remarks.length
  assert.equal(remarks('http://support.example.com'), 1)
  assert.equal(remarks('http://192.0.2.1:8080'), 1)
  for (const url of [
    'https://support.example.com',
    'http://localhost:8080',
    'http://[::1]',
    'http://127.0.0.1',
  ])
    assert.equal(remarks(url), 0, url)
})

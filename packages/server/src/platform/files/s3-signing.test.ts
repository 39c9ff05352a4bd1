import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SignatureV4 } from '@smithy/signature-v4'
import { addressOf } from './s3-client.ts'
import { encoded, openSigner, queryOf, Sha256 } from './s3-signing.ts'
import type { S3Settings } from './settings.ts'

/** The account of the examples in AWS's documentation. */
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const may24 = () => Date.UTC(2013, 4, 24)
const signer = openSigner(
  'https://examplebucket.s3.amazonaws.com',
  { region: 'us-east-1', accessKeyId, secretAccessKey },
  may24,
)
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters". */
test('the presigned GET of the documentation of S3', async () => {
  assert.equal(
    await signer.presign({ method: 'GET', path: '/test.txt' }, 86_400),
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

/** Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header", the examples without a body. */
describe('the signed requests of the documentation of S3', () => {
  for (const [title, request, signature] of [
    [
      'GET Object',
      {
        method: 'GET',
        path: '/test.txt',
        headers: { range: 'bytes=0-9', 'x-amz-content-sha256': emptyHash },
      },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'GET Bucket Lifecycle',
      { method: 'GET', path: '/', query: { lifecycle: '' }, headers: { 'x-amz-content-sha256': emptyHash } },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET Bucket',
      {
        method: 'GET',
        path: '/',
        query: { 'max-keys': '2', prefix: 'J' },
        headers: { 'x-amz-content-sha256': emptyHash },
      },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ] as const)
    test(title, async () => {
      const { authorization } = await signer.sign(request)
      assert.equal(authorization?.split('Signature=')[1], signature)
    })
})

/** AWS's Signature Version 4 test suite: the names of its cases, and their signatures. */
describe("cases of AWS's test suite of Signature Version 4", () => {
  const library = new SignatureV4({
    service: 'service',
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    sha256: Sha256,
    applyChecksum: false,
  })
  for (const [name, method, query, signature] of [
    ['get-vanilla', 'GET', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', 'POST', {}, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      { Param2: 'value2', Param1: 'value1' },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
  ] as const)
    test(name, async () => {
      const request = {
        method,
        protocol: 'https:',
        hostname: 'example.amazonaws.com',
        path: '/',
        query,
        headers: { host: 'example.amazonaws.com' },
      }
      const { headers } = await library.sign(request, { signingDate: new Date('2015-08-30T12:36:00Z') })
      assert.equal(headers.authorization?.split('Signature=')[1], signature)
    })
})

test('everything but unreserved characters is percent-encoded', () => {
  assert.equal(encoded("a-b.c_d~e !'()*/+%ä"), 'a-b.c_d~e%20%21%27%28%29%2A%2F%2B%25%C3%A4')
  assert.equal(queryOf({ 'a b': 'c&d', e: '' }), 'a%20b=c%26d&e=')
})

test('a bucket is a part of the name of the host only at AWS, and only if a certificate matches it', () => {
  const of = (bucket: string, endpoint: string | null = null, region = 'eu-west-1') =>
    addressOf({ kind: 's3', bucket, endpoint, region, accessKeyId, secretAccessKey } satisfies S3Settings)
  assert.deepEqual(of('files'), { origin: 'https://files.s3.eu-west-1.amazonaws.com', prefix: '' })
  assert.deepEqual(of('my.files'), { origin: 'https://s3.eu-west-1.amazonaws.com', prefix: '/my.files' })
  assert.deepEqual(of('files', 'http://s3:9000'), { origin: 'http://s3:9000', prefix: '/files' })
  assert.deepEqual(of('files', null, 'cn-north-1').origin, 'https://files.s3.cn-north-1.amazonaws.com.cn')
})

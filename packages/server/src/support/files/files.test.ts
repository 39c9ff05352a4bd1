import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { samples } from '@backline/test/file-samples.ts'
import { announce, contentOf, file, put, sha256 } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../platform/kernel/ids.ts'
import { sql } from '../../platform/postgres/sql.ts'

const api = service({ works: true, environment: { BACKLINE_FILES_MAX_BYTES: '200000' } })

const complete = (client: Client, { id }: Body) => client.post(`/v1/files/${id}/complete`)
const send = (client: Client, id: string, fields: object) =>
  client.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', ...fields })
const refusal = ({ status, body }: { status: number; body: Body }) => [status, body.code]
const typesOf = async (client: Client): Promise<string[]> =>
  succeeded(await client.get('/v1/events?limit=100')).data.map(({ type }: Body) => type)
/** The files of the store that contain bytes of a file. */
const bytesOf = async ({ id }: Body): Promise<string[]> =>
  (await readdir(api.filesDir, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() && entry.name.includes(uuidOf('file', id)!) ? [entry.name] : [],
  )

describe('an upload', () => {
  test('is announced, sent, completed and read', async () => {
    const { test } = await api.world()
    const announced = await announce(test, { sha256: sha256(samples.png).toUpperCase() })
    assert.deepEqual([announced.status, announced.upload.method], ['awaiting_upload', 'PUT'])
    assert.equal(succeeded(await test.get(`/v1/files/${announced.id}`)).upload, null)
    assert.deepEqual(refusal(await complete(test, announced)), [409, 'file_not_ready'])
    assert.equal((await put(api, announced, samples.png)).status, 200)
    const done = succeeded(await complete(test, announced))
    assert.deepEqual([done.status, done.upload, done.version], ['ready', null, 2])
    const read = await contentOf(api, test, done.id)
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), samples.png)
    assert.deepEqual((await typesOf(test)).slice(-2), ['file.created', 'file.ready'])
  })

  test('is shown again to a retry with the same key, and to nobody else', async () => {
    const world = await api.world()
    const other = await world.withScopes('*')
    const given = { filename: 'a.png', content_type: 'image/png', size_bytes: 3 }
    const key = { 'idempotency-key': 'one' }
    const first = succeeded(await world.test.post('/v1/files', given, key))
    const again = await world.test.post('/v1/files', given, key)
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first, 'true'])
    const seen = succeeded(await other.post('/v1/files', given, key))
    assert.deepEqual([seen.id, seen.upload], [first.id, null])
  })

  for (const [reason, given, bytes] of [
    ['size', {}, Buffer.concat([samples.png, Buffer.from('x')])],
    ['hash', { sha256: sha256(Buffer.from('other')) }, samples.png],
    ['type', { content_type: 'application/pdf', filename: 'a.pdf' }, samples.png],
    [
      'type',
      { bytes: samples.exe, content_type: 'application/octet-stream', filename: 'a.dat' },
      samples.exe,
    ],
  ] as const)
    test(`is rejected with the reason ${reason}, and its bytes are removed`, async () => {
      const { test } = await api.world()
      const announced = await announce(test, given)
      assert.equal((await put(api, announced, bytes)).status, 200)
      const { status, rejected_reason } = succeeded(await complete(test, announced))
      assert.deepEqual([status, rejected_reason], ['rejected', reason])
      assert.deepEqual(refusal(await complete(test, announced)), [409, 'file_rejected'])
      assert.deepEqual(refusal(await test.get(`/v1/files/${announced.id}/content`)), [409, 'file_rejected'])
      assert.ok((await typesOf(test)).includes('file.rejected'))
      const { id } = await conversation(test)
      const attached = await send(test, id, { attachments: [{ file_id: announced.id }] })
      assert.deepEqual(
        [attached.status, attached.body.errors[0].pointer, attached.body.errors[0].code],
        [422, '/attachments/0/file_id', 'not_allowed'],
      )
      await until('the bytes are gone', async () => (await bytesOf(announced)).length === 0)
    })

  test('that is repeated after completion changes nothing', async () => {
    const { test } = await api.world()
    const announced = await announce(test)
    await put(api, announced, samples.png)
    succeeded(await complete(test, announced))
    const again = await put(api, announced, Buffer.alloc(samples.png.length))
    assert.equal(again.status, 409)
    const read = await contentOf(api, test, announced.id)
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), samples.png)
  })

  test('that ends early stores nothing, and can be repeated', async () => {
    const { test } = await api.world()
    const announced = await announce(test)
    const { pathname } = new URL(announced.upload.url)
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-length: ${samples.png.length}\r\n\r\n`)
    socket.write(samples.png.subarray(0, 20))
    await until('it has begun', async () => (await readdir(`${api.filesDir}/incoming`)).length > 0)
    socket.destroy()
    await until('its bytes are gone', async () => (await readdir(`${api.filesDir}/incoming`)).length === 0)
    assert.deepEqual(await bytesOf(announced), [])
    assert.deepEqual(refusal(await complete(test, announced)), [409, 'file_not_ready'])
    assert.equal((await put(api, announced, samples.png)).status, 200)
    assert.equal(succeeded(await complete(test, announced)).status, 'ready')
  })

  test('needs a URL that this server made, a length, and no more bytes than are allowed', async () => {
    const { test } = await api.world()
    const announced = await announce(test)
    const url = api.url + new URL(announced.upload.url).pathname
    const statusOf = async (address: string, body: string | ReadableStream) => {
      const { status } = await fetch(address, { method: 'PUT', body, duplex: 'half' } as RequestInit)
      return status
    }
    for (const other of [
      `${url}x`,
      url.slice(0, -1),
      `${url.slice(0, -9)}${url.at(-9) === 'A' ? 'B' : 'A'}${url.slice(-8)}`,
    ])
      assert.equal(await statusOf(other, 'text'), 404)
    assert.equal(await statusOf(`${api.url}/v1/uploads/AAAA`, 'text'), 404)
    assert.equal(await statusOf(url, new Blob(['text']).stream()), 411)
    assert.equal(await statusOf(url, 'x'.repeat(200_001)), 413)
  })

  test('can be sent for an hour by the clock of the environment', async () => {
    const { test } = await api.world()
    const announced = await announce(test)
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 3_590 }))
    assert.equal((await put(api, announced, samples.png)).status, 200)
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 20 }))
    assert.equal((await put(api, announced, samples.png)).status, 404)
    assert.equal(succeeded(await complete(test, announced)).status, 'ready')
  })

  test('of no bytes at all is a file', async () => {
    const { test } = await api.world()
    const empty = Buffer.alloc(0)
    const { id } = await file(api, test, { bytes: empty, filename: 'empty.txt', content_type: 'text/plain' })
    const read = await contentOf(api, test, id)
    assert.deepEqual([read.status, await read.text(), read.headers.get('content-length')], [200, '', '0'])
  })

  test('is refused with all faults at once', async () => {
    const { test } = await api.world()
    const refused = await test.post('/v1/files', {
      filename: 'two\nlines',
      content_type: 'image',
      size_bytes: 200_001,
      sha256: 'abc',
    })
    assert.deepEqual(
      [refused.status, refused.body.errors.map(({ pointer }: Body) => pointer).sort()],
      [422, ['/content_type', '/filename', '/sha256', '/size_bytes']],
    )
    const denied = { filename: 'setup.EXE', content_type: 'a/b', size_bytes: 1 }
    assert.partialDeepStrictEqual((await test.post('/v1/files', denied)).body.errors, [
      { pointer: '/filename', code: 'not_allowed' },
    ])
    const huge = { filename: 'a.png', content_type: 'image/png', size_bytes: 99_999_999_999 }
    const [fault] = (await test.post('/v1/files', huge)).body.errors
    assert.equal(fault.detail, 'must be at most 200000')
    for (const filename of ['a\nb', 'a\rb', 'a\u0000b', '', 'x'.repeat(256)])
      assert.equal(
        (await test.post('/v1/files', { filename, content_type: 'a/b', size_bytes: 1 })).status,
        422,
        JSON.stringify(filename),
      )
  })

  test('has a media type by the grammar of RFC 9110, without a comma that begins another type', async () => {
    const { test } = await api.world()
    const create = (content_type: string) =>
      test.post('/v1/files', { filename: 'a', content_type, size_bytes: 1 })
    for (const type of [
      'image/gif;x,text/html',
      'application/pdf;, text/html',
      'text/plain;a, text/html',
      'image/gif,text/html',
      'text/plain; charset',
      'text/plain; charset="',
      'text/plain; charset=a b',
      'text/plain; charset = utf-8',
      'text/plain; x="\\"',
    ]) {
      const { status, body } = await create(type)
      const [{ pointer, code }] = body.errors ?? [{}]
      assert.deepEqual([status, pointer, code], [422, '/content_type', 'bad_format'], type)
    }
    for (const type of [
      'text/plain;charset=utf-8',
      'text/plain ; charset="utf-8" ; format=flowed;',
      String.raw`image/gif;x=",text/html"; y="\""`,
    ])
      assert.equal(succeeded(await create(type)).content_type, type)
  })

  test('is of a type that the workspace denies until it says otherwise', async () => {
    const { test } = await api.world()
    const { file_types_denied: denied } = succeeded(await test.get('/v1/workspace'))
    assert.ok(denied.includes('exe'))
    const given = { filename: 'a.PSD', content_type: 'image/x-psd', size_bytes: 1 }
    succeeded(await test.post('/v1/files', given))
    succeeded(await test.patch('/v1/workspace', { file_types_denied: ['Psd', 'psd'] }))
    assert.deepEqual(succeeded(await test.get('/v1/workspace')).file_types_denied, ['psd'])
    assert.equal((await test.post('/v1/files', given)).status, 422)
    const exe = { filename: 'a.exe', bytes: samples.exe, content_type: 'application/octet-stream' }
    assert.equal((await file(api, test, exe)).status, 'ready')
    succeeded(await test.patch('/v1/workspace', { file_types_denied: null }))
    assert.deepEqual(succeeded(await test.get('/v1/workspace')).file_types_denied, denied)
  })
})

describe('the content of a file', () => {
  test('is sent whole or in ranges, and not at all if the client has it', async () => {
    const { test } = await api.world()
    const bytes = Buffer.from('0123456789')
    const { id } = await file(api, test, { bytes, filename: 'digits.txt', content_type: 'text/plain' })
    const read = async (headers: Record<string, string>) => {
      const answer = await contentOf(api, test, id, { headers })
      return [answer.status, await answer.text(), answer.headers.get('content-range')]
    }
    const etag = (await contentOf(api, test, id)).headers.get('etag')!
    assert.deepEqual(await read({ range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await read({ range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await read({ range: 'bytes=8-99' }), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await read({ range: 'bytes=2-4,6-7' }), [200, '0123456789', null])
    assert.deepEqual(await read({ range: 'bytes=2-4', 'if-range': '"other"' }), [200, '0123456789', null])
    assert.deepEqual(await read({ range: 'bytes=2-4', 'if-range': etag }), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await read({ 'if-none-match': etag }), [304, '', null])
    const [status, , range] = await read({ range: 'bytes=10-' })
    assert.deepEqual([status, range], [416, 'bytes */10'])
    const head = await fetch(`${api.url}/v1/files/${id}/content`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${test.key}` },
    })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  })

  for (const [name, given, disposition] of [
    ['an image', {}, /^inline;/],
    [
      'HTML',
      {
        bytes: Buffer.from('<!doctype html><script>1</script>'),
        content_type: 'text/html',
        filename: 'a.html',
      },
      /^attachment;/,
    ],
    ['SVG', { bytes: samples.svg, content_type: 'image/svg+xml', filename: 'a.svg' }, /^attachment;/],
  ] as const)
    test(`is shown as ${name} only where that is safe`, async () => {
      const { test } = await api.world()
      const { id } = await file(api, test, given)
      const { headers } = await contentOf(api, test, id)
      assert.match(headers.get('content-disposition')!, disposition)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy')!, /sandbox/)
      assert.ok(headers.get('cross-origin-resource-policy'))
      assert.match(headers.get('cache-control')!, /private/)
    })

  test('is served as its type alone, whatever parameters were accepted before', async () => {
    const { test } = await api.world()
    const { id } = await file(api, test)
    await api.db.write(sql`update files set content_type = 'image/gif;x,text/html', version = version + 1
      where id = ${uuidOf('file', id)}`)
    assert.equal((await contentOf(api, test, id)).headers.get('content-type'), 'image/gif')
    assert.equal(succeeded(await test.get(`/v1/files/${id}`)).content_type, 'image/gif;x,text/html')
  })

  test('is nobody else’s', async () => {
    const world = await api.world()
    const { id } = await file(api, world.test)
    const stranger = (await api.world()).test
    for (const client of [world.live, stranger]) {
      assert.equal((await client.get(`/v1/files/${id}/content`)).status, 404)
      assert.equal((await client.post(`/v1/files/${id}/complete`)).status, 404)
      assert.equal((await client.delete(`/v1/files/${id}`)).status, 404)
      const { id: to } = await conversation(client)
      const attached = await send(client, to, { attachments: [{ file_id: id }] })
      assert.deepEqual([attached.status, attached.body.errors[0].code], [422, 'not_found'])
    }
    const writer = await world.withScopes('files:write')
    assert.equal((await writer.get(`/v1/files/${id}/content`)).body.code, 'scope_missing')
  })
})

test('a file that nothing uses is deleted after a day, with its bytes', async () => {
  const { test } = await api.world()
  const [unused, used, awaited] = [await file(api, test), await file(api, test), await announce(test)]
  await put(api, awaited, samples.png)
  const { id } = await conversation(test)
  succeeded(await send(test, id, { attachments: [{ file_id: used.id }] }))
  succeeded(await test.post('/v1/test_clock/advance', { seconds: 86_300 }))
  assert.equal((await contentOf(api, test, unused.id)).status, 200)
  succeeded(await test.post('/v1/test_clock/advance', { seconds: 200 }))
  for (const each of [unused, awaited]) {
    assert.equal((await test.get(`/v1/files/${each.id}`)).status, 404)
    await until('the bytes are gone', async () => (await bytesOf(each)).length === 0)
  }
  assert.equal((await contentOf(api, test, used.id)).status, 200)
})

test('of many changes of one file at once, each takes effect once or not at all', async () => {
  const { test } = await api.world()
  for (let round = 0; round < 5; round++) {
    const announced = await announce(test)
    await put(api, announced, samples.png)
    const { id } = await conversation(test)
    const [first, ...rest] = await Promise.all([
      ...Array.from({ length: 4 }, () => complete(test, announced)),
      put(api, announced, Buffer.alloc(samples.png.length)),
    ])
    assert.ok([200, 409].includes(rest.at(-1)!.status))
    const { status } = (first as { body: Body }).body
    assert.ok(['ready', 'rejected'].includes(status), status)
    if (status === 'rejected') continue
    const [attached, deleted] = await Promise.all([
      send(test, id, { attachments: [{ file_id: announced.id }] }),
      test.delete(`/v1/files/${announced.id}`),
    ])
    assert.deepEqual(
      [attached.status, deleted.status].sort().join(),
      attached.status === 201 ? '201,409' : '204,422',
    )
    const read = await contentOf(api, test, announced.id)
    assert.equal(read.status, attached.status === 201 ? 200 : 404)
    if (read.status === 200) assert.deepEqual(Buffer.from(await read.arrayBuffer()), samples.png)
  }
})

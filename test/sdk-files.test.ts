import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Backline, type BacklineOptions, FileRejectedError, NotModifiedError } from '@backline/sdk/index.ts'
import { conversation, succeeded } from './desk.ts'
import { samples } from './file-samples.ts'
import { type Client, service } from './harness.ts'

const api = service({ works: true })

/** Servers of tests have other addresses than the URLs of their uploads say. */
const toApi = (url: string): string => (url.includes('/v1/uploads/') ? api.url + new URL(url).pathname : url)

const png = Buffer.from(samples.png)

type Fetch = NonNullable<BacklineOptions['fetch']>

/** A client, and the requests that it sends. `answer` may answer instead of the server. */
function clientOf(
  apiKey: string,
  answer: (url: string, init: RequestInit) => Response | undefined | null = () => null,
) {
  const sent: { method: string; path: string; headers: Headers }[] = []
  const fetching: Fetch = async (url, init) => {
    sent.push({ method: init.method!, path: new URL(url).pathname, headers: new Headers(init.headers) })
    const given = answer(url, init)
    if (given === undefined) throw new TypeError('fetch failed')
    return given ?? fetch(toApi(url), init)
  }
  return { sent, backline: new Backline({ apiKey, baseUrl: api.url, fetch: fetching }) }
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

async function tokenOf(client: Client): Promise<string> {
  const session = { external_user_id: randomUUID() }
  return succeeded(await client.post('/v1/end_user_sessions', session)).token
}

describe('files.upload', () => {
  test('creates a file, sends its bytes and completes it; content returns them', async () => {
    const { test } = await api.world()
    const { backline, sent } = clientOf(test.key)
    const file = await backline.files.upload(new File([png], 'pixel.png', { type: 'image/png' }))
    assert.deepEqual(
      [file.status, file.filename, file.content_type, file.size_bytes, file.sha256],
      ['ready', 'pixel.png', 'image/png', png.length, null],
    )
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path.replace(/uploads\/.*/, 'uploads')}`),
      ['POST /v1/files', 'PUT /v1/uploads', `POST /v1/files/${file.id}/complete`],
    )
    assert.deepEqual([...sent[1]!.headers], [['content-type', 'image/png']])
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    assert.ok(keys[0] && keys[2] && keys[0] !== keys[2])

    const content = await backline.files.content(file.id)
    assert.equal(content.headers.get('content-type'), 'image/png')
    assert.deepEqual(await bytesOf(content), png)
    const part = await backline.files.content(file.id, { headers: { range: 'bytes=1-3' } })
    assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
    const ifNoneMatch = content.headers.get('etag')!
    await assert.rejects(async () => backline.files.content(file.id, { ifNoneMatch }), NotModifiedError)
  })

  test('takes arrays, and names for them', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    const text = new TextEncoder().encode('a line\n')
    const named = await backline.files.upload(text, { filename: 'log.txt', content_type: 'text/plain' })
    assert.deepEqual([named.filename, named.content_type, named.size_bytes], ['log.txt', 'text/plain', 7])
    const nameless = await backline.files.upload(new Uint8Array(png).buffer)
    assert.deepEqual([nameless.filename, nameless.content_type], ['file', 'image/png'])
    const part = await backline.files.upload(text.subarray(2, 6), { content_type: 'text/plain' })
    assert.equal(await (await backline.files.content(part.id)).text(), 'line')
    const empty = await backline.files.upload(new Blob([]), { sha256: 'compute' })
    assert.equal((await bytesOf(await backline.files.content(empty.id))).length, 0)
  })

  test('computes the SHA-256 that the server compares', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    for (const length of [1, 55, 56, 63, 64, 65, 119, 120, 100_003]) {
      const bytes = Buffer.alloc(length, 'letters ')
      const file = await backline.files.upload(bytes, { content_type: 'text/plain', sha256: 'compute' })
      assert.deepEqual(
        [file.status, file.sha256],
        ['ready', createHash('sha256').update(bytes).digest('hex')],
      )
    }
  })

  test('throws the file that was rejected, also when it is repeated', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    const upload = () =>
      backline.files.upload(
        png,
        { filename: 'notes.txt', content_type: 'text/plain' },
        { idempotencyKey: 'once' },
      )
    for (const attempt of ['first', 'second'])
      await assert.rejects(upload, (error) => {
        assert.ok(error instanceof FileRejectedError, `${attempt}: ${error}`)
        assert.deepEqual(
          [error.code, error.file.status, error.file.rejected_reason],
          ['file_rejected', 'rejected', 'type'],
        )
        return true
      })
  })

  for (const [name, fault] of [
    ['the connection is lost', () => undefined],
    [
      'the store answers 500',
      () => new Response('<Error/>', { status: 500, headers: { 'retry-after': '0' } }),
    ],
  ] as const)
    test(`sends the bytes again if ${name}`, async () => {
      const { test } = await api.world()
      let faults = 0
      const { backline, sent } = clientOf(test.key, (_, { method }) =>
        method === 'PUT' && ++faults === 1 ? fault() : null,
      )
      const file = await backline.files.upload(new Blob([png], { type: 'image/png' }))
      assert.equal(file.status, 'ready')
      assert.equal(sent.filter(({ method }) => method === 'PUT').length, 2)
    })

  test('gives up after the retries, and at once if the upload is refused', async () => {
    const { test } = await api.world()
    for (const [status, attempts] of [
      [503, 3],
      [403, 1],
    ] as const) {
      const { backline, sent } = clientOf(test.key, (_, { method }) =>
        method === 'PUT'
          ? new Response('<Error><Code>Refused</Code></Error>', { status, headers: { 'retry-after': '0' } })
          : null,
      )
      await assert.rejects(backline.files.upload(png, {}, { maxRetries: 2 }), {
        code: 'unexpected_response',
        status,
        message: /did not take the upload/,
      })
      assert.equal(sent.filter(({ method }) => method === 'PUT').length, attempts)
    }
  })

  test('with the same key returns the same file', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    const upload = () => backline.files.upload(png, {}, { idempotencyKey: 'once' })
    const [first, second] = [await upload(), await upload()]
    assert.deepEqual(second, first)
  })

  test('ends with the signal', async () => {
    const { test } = await api.world()
    const controller = new AbortController()
    const { backline, sent } = clientOf(test.key, (_, { method }) => {
      if (method === 'PUT') controller.abort(new Error('Enough'))
      return null
    })
    const { signal } = controller
    await assert.rejects(backline.files.upload(png, {}, { signal }), /Enough/)
    assert.equal(sent.at(-1)!.method, 'PUT')
  })

  test('refuses what it cannot send, before anything is sent', async () => {
    const { backline, sent } = clientOf('bkl_test_1')
    await assert.rejects(backline.files.upload('text' as never), /needs a Blob/)
    await assert.rejects(backline.files.upload(png, { signal: null } as never), /no member "signal"/)
    assert.equal(sent.length, 0)
  })

  test('works for end users, with their token', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(await tokenOf(test))
    const { id, status } = await backline.me.files.upload(new File([png], 'pixel.png', { type: 'image/png' }))
    assert.equal(status, 'ready')
    const created = await backline.me.conversations.create({
      message: { body: '', attachments: [{ file_id: id }] },
    })
    assert.equal(created.last_message?.attachments[0]?.file_id, id)
    assert.deepEqual(await bytesOf(await backline.me.files.content(id)), png)
    const other = clientOf(await tokenOf(test)).backline
    await assert.rejects(async () => other.me.files.content(id), { code: 'not_found' })
  })
})

describe('content', () => {
  /** A server that stands for a store: it answers with what it was asked. */
  async function storeOf(t: TestContext): Promise<string> {
    const store = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
    t.after(() => store.close())
    return `http://127.0.0.1:${(store.address() as { port: number }).port}/bucket/key?X-Amz-Signature=1`
  }

  test('of a store is followed to it, without the credential and other headers', async (t) => {
    const location = await storeOf(t)
    const redirect = (url: string) =>
      url.startsWith(api.url) ? new Response(null, { status: 302, headers: { location } }) : null
    const { backline } = clientOf('bkl_test_1', redirect)
    const headers = { range: 'bytes=1-3', 'x-secret': 'of a proxy' }
    const content = await backline.files.content('file_1', { headers, operatorId: 'op_1' })
    const seen = (await content.json()) as Record<string, string>
    assert.equal(seen.range, 'bytes=1-3')
    assert.deepEqual(
      [seen.authorization, seen['x-secret'], seen['backline-operator']],
      Array(3).fill(undefined),
    )
  })

  test('is not taken from where a proxy redirects to', async () => {
    const moved = () => new Response(null, { status: 301, headers: { location: 'https://example.com/' } })
    const { backline } = clientOf('bkl_test_1', moved)
    await assert.rejects(async () => backline.files.content('file_1'), /redirected to https:\/\/example\.com/)
  })

  test('that is cut off, silent or aborted throws, and never looks complete', async () => {
    const controller = new AbortController()
    const faults = {
      cut: (to: ReadableStreamDefaultController) => to.error(new TypeError('terminated')),
      silent: () => undefined,
      aborted: () => controller.abort(new Error('Enough')),
    }
    const expected = { cut: /terminated/, silent: /sent nothing for 50 ms/, aborted: /Enough/ }
    for (const [name, fault] of Object.entries(faults)) {
      let pieces = 0
      const body = new ReadableStream({
        pull: (to) => {
          if (pieces++ === 0) to.enqueue(png)
          else {
            fault(to)
            return new Promise(() => undefined)
          }
        },
      })
      const { backline } = clientOf('bkl_test_1', () => new Response(body))
      const content = await backline.files.content('file_1', {
        timeoutMs: name === 'silent' ? 50 : 60_000,
        signal: controller.signal,
      })
      await assert.rejects(content.arrayBuffer(), expected[name as keyof typeof expected], name)
    }
  })

  test('of an image of a published article is public', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    const { id } = await backline.files.upload(png, { filename: 'pixel.png', content_type: 'image/png' })
    const collection = await backline.kb.collections.create({ name: 'Cards' })
    const article = await backline.kb.articles.create({
      collection_id: collection.id,
      title: 'Pixels',
      body: `![A pixel](file:${id})`,
    })
    await assert.rejects(async () => backline.kb.articles.file(article.id, id), { code: 'not_found' })
    await backline.kb.articles.publish(article.id)
    assert.deepEqual(await bytesOf(await backline.kb.articles.file(article.id, id)), png)
  })

  test('of an attachment is read by its message', async () => {
    const { test } = await api.world()
    const { backline } = clientOf(test.key)
    const { id: file_id } = await backline.files.upload(png)
    const { id } = await conversation(test)
    const sent = await backline.conversations.messages.create(id, {
      author_side: 'end_user',
      attachments: [{ file_id }],
    })
    assert.equal(sent.attachments[0]!.file_id, file_id)
  })
})

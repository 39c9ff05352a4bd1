import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { contentOf, file, sha256 } from '@backline/test/files.ts'
import { service } from '@backline/test/harness.ts'
import { localNetworks } from '@backline/test/hooks.ts'
import { conversationLine, imported, messageLine } from '@backline/test/imports.ts'

const api = service({ works: true, environment: localNetworks })

type Fault = { pointer: string; code: string }

const text = Buffer.from('A receipt\n')

/** A server of files, which counts the requests for each path. */
async function fileServer(t: TestContext) {
  const asked = new Map<string, number>()
  const server = createServer(({ url = '' }, response) => {
    const count = (asked.get(url) ?? 0) + 1
    asked.set(url, count)
    if (url.startsWith('/receipt')) response.end(text)
    else if (url === '/busy' && count < 2) response.writeHead(503).end()
    else if (url === '/busy') response.end(text)
    else if (url === '/moved') response.writeHead(302, { location: '/receipt.txt' }).end()
    else if (url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('files are fetched, hashed and used by their messages', async (t) => {
  const { test: client } = await api.world()
  const { url, asked } = await fileServer(t)
  const own = await file(api, client)
  const { job, results } = await imported(api, client, [
    conversationLine('c1'),
    messageLine('m1', 'c1', {
      body: '',
      attachments: [
        { url: `${url}/receipt.txt` },
        { url: `${url}/moved`, filename: 'moved.txt' },
        { file_id: own.id, disposition: 'inline' },
      ],
    }),
    messageLine('m2', 'c1', { attachments: [{ url: `${url}/gone` }, { url: `${url}/busy` }] }),
    messageLine('m3', 'c1', { attachments: [{ url: `${url}/inside` }] }),
    messageLine('m4', 'c1', { attachments: [{ file_id: own.id }] }),
    messageLine('m5', 'c1', { attachments: [{ url: `${url}/receipt.exe` }] }),
  ])
  assert.deepEqual([job.status, job.progress.failed], ['completed_with_errors', 1])
  const shown = async (i: number) => succeeded(await client.get(`/v1/messages/${results[i].id}`)).attachments
  const [first, moved, inline] = await shown(1)
  assert.deepEqual(
    [first.filename, first.content_type, first.size_bytes, first.status],
    ['receipt.txt', 'text/plain', text.length, 'ready'],
  )
  assert.deepEqual([moved.filename, inline.file_id, inline.disposition], ['moved.txt', own.id, 'inline'])
  const stored = succeeded(await client.get(`/v1/files/${first.file_id}`))
  assert.equal(stored.sha256, sha256(text))
  const content = await contentOf(api, client, first.file_id)
  assert.deepEqual(Buffer.from(await content.arrayBuffer()), text)
  assert.equal((await client.delete(`/v1/files/${first.file_id}`)).status, 409)
  assert.equal((await shown(2)).length, 1)
  assert.deepEqual(await shown(3), [])
  const told = results.map(({ status, errors }) => [
    status,
    ...errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
  ])
  assert.deepEqual(told.slice(2), [
    ['succeeded', '/attachments/0/url file_missing'],
    ['succeeded', '/attachments/0/url file_missing'],
    ['failed', '/attachments/0/file_id not_allowed'],
    ['succeeded', '/attachments/0/url file_missing'],
  ])
  assert.deepEqual([asked.get('/gone'), asked.get('/busy'), asked.get('/inside')], [1, 2, 1])
})

test('names of files are those that uploads may have', async () => {
  const { test: client } = await api.world()
  const named = (filename: string) => ({ attachments: [{ url: 'https://files.example.com/x', filename }] })
  const { results } = await imported(
    api,
    client,
    [
      conversationLine('c1'),
      ...['two\r\nlines', 'a\0b', ' ', 'x'.repeat(256)].map((name, i) =>
        messageLine(`m${i}`, 'c1', named(name)),
      ),
    ],
    { dry_run: true },
  )
  assert.deepEqual(
    results.slice(1).map(({ errors }) => errors.map(({ pointer, code }: Fault) => [pointer, code])),
    ['bad_format', 'bad_format', 'blank', 'too_long'].map((code) => [['/attachments/0/filename', code]]),
  )
})

test('files that nothing uses are not fetched: those of known messages, and of lines with faults', async (t) => {
  const { test: client } = await api.world()
  const { url, asked } = await fileServer(t)
  const attached = (name: string) => ({ attachments: [{ url: `${url}/receipt${name}` }] })
  const lines = [
    conversationLine('c1'),
    messageLine('m1', 'c1', attached('1')),
    messageLine('m1', 'c1', attached('2')),
    messageLine('m2', 'c1', { ...attached('3'), in_reply_to_external_id: 'm9' }),
    messageLine('m3', 'c9', attached('4')),
    conversationLine('c2', { department_external_id: 'd9' }),
    messageLine('m4', 'c2', attached('5')),
  ]
  const { results } = await imported(api, client, lines)
  for (const on_conflict of ['skip', 'update']) {
    const again = await imported(api, client, lines, { on_conflict })
    assert.deepEqual(
      again.results.map(({ id }) => id),
      results.map(({ id }) => id),
    )
  }
  assert.deepEqual([...asked], [['/receipt1', 1]])
  const { attachments } = succeeded(await client.get(`/v1/messages/${results[1].id}`))
  assert.equal(attachments.length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { samples } from '@backline/test/file-samples.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { mailbox } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../platform/kernel/ids.ts'
import { sql } from '../../platform/postgres/sql.ts'

const api = service({ works: true })

/** A mail with a file for which it has no room. */
async function mailed(
  client: Client,
  given: object = {},
): Promise<{ message: Body; attached: Body; path: string }> {
  const box = await mailbox(client, { attach_max_bytes: 0 })
  const { id } = await conversation(client, { mailbox_id: box.id })
  const attached = await file(api, client, given)
  const message = await say(client, id, 'operator', {
    email: { to: ['ada@example.net'] },
    attachments: [{ file_id: attached.id }],
  })
  const { text } = succeeded(await client.get(`/v1/messages/${message.id}/email`))
  const [url] = /http\S+\/v1\/emailed_files\/\S+/.exec(text)!
  return { message, attached, path: new URL(url).pathname }
}

const get = (path: string, init: RequestInit = {}) => fetch(api.url + path, init)
const days = async (client: Client, count: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds: count * 86_400 }))

test('a link in a mail reads the file without a key for 30 days, also in ranges', async () => {
  const { test: client } = await api.world()
  const { path } = await mailed(client)
  const read = await get(path)
  assert.deepEqual([read.status, Buffer.from(await read.arrayBuffer())], [200, samples.png])
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map((name) =>
      read.headers.get(name),
    ),
    [
      'image/png',
      'nosniff',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      'private, no-cache',
    ],
  )
  const part = await get(path, { headers: { range: 'bytes=0-3' } })
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, samples.png.subarray(0, 4)])
  await days(client, 29)
  assert.equal((await get(path)).status, 200)
  await days(client, 1)
  assert.equal((await get(path)).status, 404)
})

test('what is no image, PDF or plain text is saved, and not shown', async () => {
  const { test: client } = await api.world()
  const bytes = Buffer.from('name,value\nAda,<script>alert(1)</script>\n')
  const { path } = await mailed(client, { bytes, filename: 'a.csv', content_type: 'text/csv' })
  assert.match((await get(path)).headers.get('content-disposition')!, /^attachment/)
})

test('404 once the file is deleted or not clean, and for what is no link of this server', async () => {
  const { test: client, environments } = await api.world()
  const first = await mailed(client)
  assert.equal((await client.delete(`/v1/conversations/${first.message.conversation_id}`)).status, 204)
  await until('the file is deleted', async () => (await get(first.path)).status === 404)
  const second = await mailed(client)
  await api.db.write(sql`update files set status = 'rejected', rejected_reason = 'infected'
    where tenant_id = ${environments.test.tenantId} and id = ${uuidOf('file', second.attached.id)}`)
  assert.equal((await get(second.path)).status, 404)
  const spoilt = `${second.path.slice(0, -4)}${second.path.at(-4) === 'A' ? 'B' : 'A'}${second.path.slice(-3)}`
  for (const path of [
    spoilt,
    `${second.path}x`,
    '/v1/emailed_files/x',
    `/v1/emailed_files/${second.attached.id}`,
  ])
    assert.equal((await get(path)).status, 404, path)
})

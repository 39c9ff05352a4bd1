import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { sessionOf } from '@backline/test/end-users.ts'
import { samples } from '@backline/test/file-samples.ts'
import { announce, contentOf, put } from '@backline/test/files.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/* A stand-in for clamd: it answers as `reply` says, hangs up while that is null, and can be away. */

let reply: string | null = null
let isAway = false
let asked = 0
const path = join(tmpdir(), `backline-clamd-${process.pid}.sock`)
const clamd = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    if (String(data).startsWith('zPING')) asked++
    if (isAway) return void socket.destroy()
    if (String(data).startsWith('zPING')) return void socket.end('PONG\0')
    if (!data.subarray(-4).equals(Buffer.alloc(4))) return
    if (reply === null) socket.destroy()
    else socket.end(`stream: ${reply}\0`)
  })
})
before(async () => {
  clamd.listen(path)
  await once(clamd, 'listening')
})
after(() => {
  clamd.close()
  rmSync(path, { force: true })
})

const api = service({ works: true, environment: { BACKLINE_CLAMD: path } })

async function uploaded(client: Client, root = '/v1/files'): Promise<Body> {
  const announced = await announce(client, { path: root })
  assert.equal((await put(api, announced, samples.png)).status, 200)
  return succeeded(await client.post(`${root}/${announced.id}/complete`))
}

const statusOf = async ({ test }: World, id: string): Promise<string> =>
  succeeded(await test.get(`/v1/files/${id}`)).status

const send = async (client: Client, id: string, fileId: string): Promise<Body> =>
  succeeded(
    await client.post(`/v1/conversations/${id}/messages`, {
      author_side: 'operator',
      attachments: [{ file_id: fileId }],
    }),
  )

test('a file waits for the scanner, can be attached meanwhile, and is read once it is clean', async () => {
  const world = await api.world()
  reply = null
  const file = await uploaded(world.test)
  assert.equal(file.status, 'scanning')
  const begun = await conversation(world.test)
  const sent = await send(world.test, begun.id, file.id)
  assert.equal(sent.attachments[0].status, 'scanning')
  const early = await world.test.get(`/v1/files/${file.id}/content`)
  assert.deepEqual([early.status, early.body.code], [409, 'file_not_ready'])
  const token = await sessionOf(api, world, begun.end_user_id)
  assert.equal((await contentOf(api, token, file.id, { path: '/v1/me/files' })).status, 409)
  const stream = new AbortController()
  const { body } = await fetch(`${api.url}/v1/me/stream`, {
    headers: { authorization: `Bearer ${token.key}` },
    signal: stream.signal,
  })
  let told = ''
  const reading = (async () => {
    for await (const text of body!.pipeThrough(new TextDecoderStream())) told += text
  })().catch(() => undefined)
  await until('it is connected', async () => told.includes('connected'))
  reply = 'OK'
  await until('it is clean', async () => (await statusOf(world, file.id)) === 'ready')
  assert.equal((await contentOf(api, world.test, file.id)).status, 200)
  assert.equal((await contentOf(api, token, file.id, { path: '/v1/me/files' })).status, 200)
  const shown = succeeded(await world.test.get(`/v1/messages/${sent.id}`))
  assert.deepEqual([shown.attachments[0].status, shown.version], ['ready', sent.version + 1])
  await until('the page is told', async () => /event: message\.updated/.test(told))
  assert.match(told, /"status":"ready","url":"[^"]*\/v1\/me\/files\//)
  stream.abort()
  await reading
  const { data } = succeeded(await world.test.get('/v1/events?types=message.updated,file.ready'))
  assert.deepEqual(data.map(({ type }: Body) => type).sort(), ['file.ready', 'message.updated'])
})

test('a file is scanned at once when the scanner is back, however long it was away', async () => {
  const world = await api.world()
  reply = 'OK'
  isAway = true
  const file = await uploaded(world.test)
  const before = asked
  await until('the scanner was asked several times', () => asked > before + 3)
  assert.equal(await statusOf(world, file.id), 'scanning')
  const tasks = await api.db.rows<{ failures: number }>(sql`select failures from file_tasks
    where tenant_id = ${world.environments.test.tenantId} and file_id = ${uuidOf('file', file.id)} and task = 'scan'`)
  assert.deepEqual(tasks, [{ failures: 0 }])
  isAway = false
  await until('it is clean', async () => (await statusOf(world, file.id)) === 'ready')
})

test('an infected file is rejected, and its message says so', async () => {
  const world = await api.world()
  reply = 'Eicar-Signature FOUND'
  const token = await sessionOf(api, world, (await conversation(world.test)).end_user_id)
  const file = await uploaded(token, '/v1/me/files')
  await until('it is rejected', async () => (await statusOf(world, file.id)) === 'rejected')
  assert.equal(succeeded(await world.test.get(`/v1/files/${file.id}`)).rejected_reason, 'infected')
  const refused = await token.post('/v1/me/conversations', {
    message: { attachments: [{ file_id: file.id }] },
  })
  assert.deepEqual(
    [refused.status, refused.body.errors[0].pointer, refused.body.errors[0].code],
    [422, '/message/attachments/0/file_id', 'not_allowed'],
  )
})

test('while a scan hangs, the bytes of deleted files of others are removed', async () => {
  const [one, other] = [await api.world(), await api.world()]
  reply = 'OK'
  const victim = await uploaded(other.test)
  await until('it is clean', async () => (await statusOf(other, victim.id)) === 'ready')
  reply = null
  const waiting = await uploaded(one.test)
  succeeded(await other.test.delete(`/v1/files/${victim.id}`))
  const uuid = uuidOf('file', victim.id)!
  const bytes = async () =>
    (await readdir(api.filesDir, { recursive: true })).filter((name) => name.includes(uuid))
  await until('its bytes are removed', async () => (await bytes()).length === 0)
  assert.equal(await statusOf(one, waiting.id), 'scanning')
  reply = 'OK'
  await until('it is clean', async () => (await statusOf(one, waiting.id)) === 'ready')
})

test('a process without a scanner leaves files to one that has it', async () => {
  const world = await api.world()
  const other = await api.another({ works: true })
  reply = null
  const file = await uploaded(world.test)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  assert.equal(await statusOf(world, file.id), 'scanning')
  await other.stop()
  reply = 'OK'
  await until('it is clean', async () => (await statusOf(world, file.id)) === 'ready')
})

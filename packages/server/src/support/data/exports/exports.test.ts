import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Client, service } from '@backline/test/harness.ts'
import { ended, run, started } from '@backline/test/jobs.ts'
import { conversation, made, surroundings } from '@backline/test/macro-fixtures.ts'

const api = service({ works: true })

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

/** The bytes of a file, as they are stored. */
async function bytesOf(client: Client, id: string): Promise<Buffer> {
  const response = await fetch(`${api.url}/v1/files/${id}/content`, {
    headers: { authorization: `Bearer ${client.key}` },
  })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

/** The text of a family in an export. */
async function textOf(client: Client, { result, params }: Body, family: string): Promise<string> {
  const parts = result.parts.filter((part: Body) => part.object === family)
  const texts = []
  for (const { file_id, bytes } of parts) {
    const stored = await bytesOf(client, file_id)
    assert.equal(stored.length, bytes)
    texts.push(params.compression === 'gzip' ? gunzipSync(stored) : stored)
  }
  const text = Buffer.concat(texts)
  const { sha256 } = result.manifest.objects[family]
  assert.equal(createHash('sha256').update(text).digest('hex'), sha256, family)
  return text.toString()
}

async function objectsOf(client: Client, job: Body, family: string): Promise<Body[]> {
  const text = await textOf(client, job, family)
  const objects = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  assert.equal(objects.length, job.result.manifest.objects[family].count)
  return objects
}

describe('an export', () => {
  test('has all objects of all families as the API shows them', async () => {
    const { test: client } = await api.world()
    const desk = await surroundings(client)
    const first = await conversation(client, { message: { body: 'Hello' }, tags: ['vip'] })
    const job = await run(client, '/v1/exports', {})
    assert.equal(job.status, 'succeeded', JSON.stringify(job.error))
    assert.equal(job.result.snapshot_restarts, 0)
    assert.deepEqual(await objectsOf(client, job, 'operators'), [
      (await client.get(`/v1/operators/${desk.operator.id}`)).body,
    ])
    const { body } = await client.get(`/v1/conversations/${first.id}`)
    assert.deepEqual(await objectsOf(client, job, 'conversations'), [body])
    const messages = (await client.get(`/v1/conversations/${first.id}/messages`)).body.data
    assert.deepEqual(await objectsOf(client, job, 'messages'), messages)
    for (const family of Object.keys(job.result.manifest.objects))
      assert.ok(
        job.result.parts.some((part: Body) => part.object === family),
        family,
      )
    assert.deepEqual(await objectsOf(client, job, 'kb_articles'), [])
  })

  test('with a filter has the conversations that meet it and their messages', async () => {
    const { test: client } = await api.world()
    const ids = []
    for (let i = 0; i < 6; i++)
      ids.push(
        (await conversation(client, { priority: i % 2 ? 'high' : 'low', message: { body: `No ${i}` } })).id,
      )
    const job = await run(client, '/v1/exports', {
      objects: ['messages', 'conversations'],
      filter: { field: 'priority', op: 'is', value: 'high' },
      compression: 'none',
    })
    const exported = await objectsOf(client, job, 'conversations')
    assert.deepEqual(
      exported.map(({ id }) => id),
      [ids[1], ids[3], ids[5]],
    )
    const messages = await objectsOf(client, job, 'messages')
    assert.deepEqual(
      messages.map(({ body }) => body),
      ['No 1', 'No 3', 'No 5'],
    )
  })

  test('as CSV quotes what RFC 4180 asks for and writes lists and objects as JSON', async () => {
    const { test: client } = await api.world()
    const tag = await made(client, 'tags', { name: 'a, "b"' })
    await conversation(client, { tags: [tag.name], subject: '=1+1' })
    const job = await run(client, '/v1/exports', {
      objects: ['conversations'],
      format: 'csv',
      compression: 'none',
    })
    const text = await textOf(client, job, 'conversations')
    const [header, row] = text.split('\r\n') as [string, string]
    assert.ok(header.startsWith('id,object,end_user_id,'))
    assert.ok(row.includes(',=1+1,'))
    assert.ok(row.includes('"[""a, \\""b\\""""]"'), row)
  })

  test('is the state of one moment, from which the feed goes on without gaps and doubles', async () => {
    const { test: client } = await api.world()
    const { operator } = await surroundings(client)
    const ids: string[] = []
    for (let i = 0; i < 120; i++) ids.push((await conversation(client, { external_user_id: `u${i % 7}` })).id)
    let isDone = false
    const writes = Array.from({ length: 4 }, async (_, lane) => {
      for (let i = lane; !isDone; i += 4) {
        const id = ids[i % ids.length]
        if (i % 3 === 0) ids.push((await conversation(client, { external_user_id: `new${i % 5}` })).id)
        else if (i % 3 === 1)
          await client.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', body: `${i}` })
        else
          await client.patch(`/v1/conversations/${id}`, {
            priority: i % 2 ? 'high' : 'low',
            metadata: { i: `${i}` },
          })
        if (i % 20 === lane) await client.post(`/v1/conversations/${id}/assign`, { assignee_id: operator.id })
      }
    })
    const job = await ended(
      client,
      await started(client, '/v1/exports', { objects: ['conversations', 'messages', 'end_users', 'tags'] }),
    )
    isDone = true
    await Promise.all(writes)
    assert.equal(job.status, 'succeeded')
    const copy = new Map<string, Body>()
    for (const family of ['conversations', 'messages', 'end_users', 'tags'])
      for (const object of await objectsOf(client, job, family)) copy.set(object.id, object)
    await follow(client, copy, job.result.manifest.feed_cursor)
    await assertSame(client, copy)
  })
})

/** Applies the events after a cursor. Each must be the next version of what the copy has. */
async function follow(client: Client, copy: Map<string, Body>, from: string): Promise<void> {
  for (let cursor = from, more = true; more; ) {
    const { status, body, text } = await client.get(`/v1/events?limit=100&cursor=${cursor}`)
    assert.equal(status, 200, text)
    for (const { type, data } of body.data) {
      if (!/^(conversation|message|end_user|tag)\./.test(type)) continue
      const known = copy.get(data.object.id)
      assert.ok(
        known === undefined || known.version < data.object.version,
        `${type} ${data.object.id} came twice`,
      )
      copy.set(data.object.id, data.object)
      const { conversation } = data
      if (conversation) {
        const present = copy.get(conversation.id)
        assert.ok(present, `${conversation.id} is missing`)
        if (present.version < conversation.version) copy.set(conversation.id, { ...present, ...conversation })
      }
    }
    cursor = body.resume_cursor
    more = body.has_more
  }
}

async function assertSame(client: Client, copy: Map<string, Body>): Promise<void> {
  let count = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Body = await client.get(
      `/v1/conversations?limit=100&sort=created_at${cursor && `&cursor=${cursor}`}`,
    )
    for (const object of body.data) {
      count++
      assert.deepEqual(copy.get(object.id), object)
      const messages = await client.get(`/v1/conversations/${object.id}/messages?limit=100`)
      for (const message of messages.body.data) assert.deepEqual(copy.get(message.id), message)
    }
    cursor = body.next_cursor
  }
  assert.equal([...copy.keys()].filter((id) => id.startsWith('conv_')).length, count)
}

test('a key without the scopes of the families neither starts an export nor reads its files', async () => {
  const world = await api.world()
  await conversation(world.test)
  const jobs = await world.withScopes('jobs:write', 'jobs:read', 'files:read', 'events:read')
  const refused = await jobs.post('/v1/exports', { objects: ['conversations'] })
  assert.equal(refused.status, 403)
  assert.equal(refused.body.params.scope, 'conversations:read')
  const job = await run(world.test, '/v1/exports', { objects: ['conversations'] })
  const [{ file_id }] = job.result.parts
  const read = await jobs.get(`/v1/files/${file_id}/content`)
  assert.equal(read.status, 403)
  assert.equal(read.body.params.scope, 'conversations:read')
  assert.equal((await world.test.get(`/v1/files/${file_id}`)).body.status, 'ready')
})

test('the files of an export are deleted with its results', async () => {
  const world = await api.world()
  const job = await run(world.test, '/v1/exports', { objects: ['tags'] })
  const [{ file_id }] = job.result.parts
  await world.test.post('/v1/test_clock/advance', { seconds: 31 * 86_400 })
  assert.equal((await world.test.get(`/v1/files/${file_id}`)).status, 404)
})

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { canonicalJson } from '@backline/server/platform/kernel/json.ts'
import { sealed } from '@backline/test/audit.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { erase } from '@backline/test/erasures.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { ended, resultsOf, run, started } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'

const api = service({ works: true })

let people = 0

/** A person with a conversation, whom a job of the team names. */
async function person(client: Client) {
  const own = `quagga${++people}x`
  const eu = succeeded(
    await client.post('/v1/end_users', {
      external_id: `${own}external`,
      name: `${own}name`,
      emails: [{ address: `${own}address@example.com`, verified: true }],
    }),
  )
  const conversation = succeeded(
    await client.post('/v1/conversations', { end_user_id: eu.id, message: { body: `${own}body` } }),
  )
  return { own, eu, conversation }
}

const namedBulk = (own: string) => ({
  selection: { filter: { field: 'end_user.email', op: 'is', value: `${own}address@example.com` } },
  actions: [{ type: 'add_tags', tags: ['found'] }],
})

describe('the erasure of a person', () => {
  test('is a job with a certificate, after which no table and no file has a text of the person', async () => {
    const { test: client } = await api.world()
    const { own, eu, conversation } = await person(client)
    const bulk = await run(client, '/v1/bulk', namedBulk(own))
    assert.equal(bulk.progress.done, 1)
    const whole = await run(client, '/v1/exports', { objects: ['tags'] })
    const exported = await run(client, `/v1/end_users/${eu.id}/export`, {})
    const places = await placesOf(api, [own])
    assert.ok(
      places.some((place) => place.startsWith('jobs: ')),
      places.join(),
    )

    const planned = await run(client, `/v1/end_users/${eu.id}/erase`, { dry_run: true })
    assert.equal(planned.result.erasure_id, null)
    assert.ok(planned.result.counts.messages >= 1)
    assert.equal(succeeded(await client.get(`/v1/end_users/${eu.id}`)).status, 'active')

    const job = await run(client, `/v1/end_users/${eu.id}/erase`, {})
    assert.equal(job.status, 'succeeded', JSON.stringify(job.error))
    await until('no text is left', async () => (await placesOf(api, [own])).length === 0)
    const certificate = succeeded(await client.get(`/v1/erasures/${job.result.erasure_id}`))
    assert.deepEqual([certificate.end_user_id, certificate.mode], [eu.id, 'anonymise'])
    assert.deepEqual(certificate.exports, [whole.id])
    const { sha256, ...unsigned } = certificate
    assert.equal(createHash('sha256').update(canonicalJson(unsigned)).digest('hex'), sha256)
    assert.equal(succeeded(await client.get(`/v1/end_users/${eu.id}`)).status, 'erased')
    const shown = succeeded(await client.get(`/v1/conversations/${conversation.id}`))
    assert.deepEqual([shown.end_user_id, shown.external_user_id], [eu.id, null])
    assert.deepEqual(succeeded(await client.get(`/v1/jobs/${bulk.id}`)).params, {})
    assert.equal((await client.get(`/v1/files/${exported.result.file_id}`)).status, 404)
    assert.equal((await sealed(client)).valid, true)
  })

  test('erases the filter of a job that is running, which goes on and ends as if nothing had happened', async () => {
    const { test: client, environments } = await api.world()
    const { own, eu } = await person(client)
    const ids = await Promise.all(
      Array.from({ length: 200 }, () =>
        client.post('/v1/conversations', { external_user_id: 'friend', tags: ['outage'] }),
      ),
    )
    const filters = [namedBulk(own).selection.filter, { field: 'tags', op: 'contains', value: 'outage' }]
    const job = await started(client, '/v1/bulk', {
      selection: { filter: { any: filters } },
      actions: [{ type: 'note', body: 'Seen' }],
    })
    await until('it has begun', async () => (await client.get(`/v1/jobs/${job.id}`)).body.progress.done > 0)
    await erase(api, environments.test, eu.id)
    const done = await ended(client, job)
    const { status, params, progress } = done
    assert.deepEqual(
      { status, params, progress },
      { status: 'succeeded', params: {}, progress: { done: 201, total: 201, failed: 0 } },
    )
    const { data } = succeeded(await client.get('/v1/events?types=job.ended'))
    assert.deepEqual(data[0].data, { object: done, previous: data[0].data.previous })
    assert.deepEqual(await placesOf(api, [own]), [])
    const { message_count } = succeeded(await client.get(`/v1/conversations/${ids[0]!.body.id}`))
    assert.equal(message_count, 1)
  })

  test('runs once at a time, and waits for no other person', async () => {
    const { test: client } = await api.world()
    const [one, other] = [await person(client), await person(client)]
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => client.post(`/v1/end_users/${one.eu.id}/erase`, {})),
    )
    const accepted = asked.filter(({ status }) => status === 202)
    const refused = asked.filter(({ status }) => status === 409)
    assert.equal(accepted.length + refused.length, 4)
    for (const { body } of refused) assert.equal(body.code, 'job_running', JSON.stringify(body))
    assert.equal((await run(client, `/v1/end_users/${other.eu.id}/erase`, {})).status, 'succeeded')
    for (const { body } of accepted) assert.equal((await ended(client, body)).status, 'succeeded')
  })

  test('is refused under a legal hold', async () => {
    const { test: client } = await api.world()
    const { eu, own } = await person(client)
    succeeded(await client.put(`/v1/end_users/${eu.id}/legal_hold`, { reason: 'Litigation' }))
    const { status, body } = await client.post(`/v1/end_users/${eu.id}/erase`, {})
    assert.deepEqual([status, body.code], [409, 'legal_hold'])
    succeeded(await client.delete(`/v1/end_users/${eu.id}/legal_hold`))
    assert.equal(succeeded(await client.get(`/v1/end_users/${eu.id}`)).name, `${own}name`)
  })

  test('brings nothing back by a replay of an old request', async () => {
    const { test: client } = await api.world()
    const { eu, own } = await person(client)
    const key = { 'idempotency-key': randomUUID() }
    const input = { end_user_id: eu.id, message: { body: `${own}again` } }
    succeeded(await client.post('/v1/conversations', input, key))
    await run(client, `/v1/end_users/${eu.id}/erase`, { mode: 'delete' })
    const replay = await client.post('/v1/conversations', input, key)
    assert.ok(!replay.text.includes(own), replay.text)
    assert.deepEqual(succeeded(await client.get(`/v1/conversations?end_user_id=${eu.id}`)).data, [])
    await until('no text is left', async () => (await placesOf(api, [own])).length === 0)
  })
})

test('the export of a person is a file that keys without the scope of erasure cannot read', async () => {
  const world = await api.world()
  const { own, eu, conversation } = await person(world.test)
  const job = await run(world.test, `/v1/end_users/${eu.id}/export`, {})
  assert.equal(job.status, 'succeeded')
  const { file_id } = job.result
  const read = (client: Client) =>
    fetch(`${api.url}/v1/files/${file_id}/content`, { headers: { authorization: `Bearer ${client.key}` } })
  const response = await read(world.test)
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
  const objects = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  assert.equal(objects.length, job.result.count)
  assert.ok(objects.some(({ id }: Body) => id === conversation.id))
  assert.ok(objects.some(({ body }: Body) => body === `${own}body`))
  assert.equal((await read(await world.withScopes('files:read', 'jobs:read'))).status, 403)
})

test('the results of a job that retention started are those of its conversations', async () => {
  const { test: client } = await api.world()
  const { conversation } = await person(client)
  succeeded(await client.post(`/v1/conversations/${conversation.id}/close`))
  const policy = succeeded(
    await client.post('/v1/retention_policies', {
      name: 'All',
      filter: { field: 'status', op: 'is', value: 'closed' },
      after_seconds: 86_400,
      action: 'delete',
      status: 'enabled',
    }),
  )
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 3 * 86_400 }))
  const { data } = succeeded(await client.get('/v1/jobs?type=retention'))
  const [job] = data
  assert.equal(data.length, 1, JSON.stringify(data))
  assert.deepEqual(job.params, { retention_policy_id: policy.id, action: 'delete' })
  const results = await resultsOf(client, job)
  assert.deepEqual(
    results.map(({ id, status }) => [id, status]),
    [[conversation.id, 'succeeded']],
  )
  assert.equal((await client.get(`/v1/conversations/${conversation.id}`)).status, 404)
})

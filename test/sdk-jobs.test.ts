import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Backline, type BacklineOptions } from '@backline/sdk/index.ts'
import { service } from './harness.ts'

const api = service({ works: true })

async function desk() {
  const { test: client } = await api.world()
  const sent: { path: string; ifNoneMatch: string | null }[] = []
  const fetching: NonNullable<BacklineOptions['fetch']> = (url, init) => {
    sent.push({ path: new URL(url).pathname, ifNoneMatch: new Headers(init.headers).get('if-none-match') })
    return fetch(url, init)
  }
  const backline = new Backline({ apiKey: client.key, baseUrl: api.url, fetch: fetching })
  const { id } = await backline.conversations.create({ external_user_id: 'user_42' })
  return { backline, sent, id }
}

describe('jobs.wait', () => {
  test('returns the job when it has ended, and tells each progress once', async () => {
    const { backline, id } = await desk()
    const started = await backline.bulk.start({ selection: { ids: [id] }, actions: [{ type: 'resolve' }] })
    const versions: number[] = []
    const job = await backline.jobs.wait(started.id, { onProgress: ({ version }) => versions.push(version) })
    assert.equal(job.status, 'succeeded')
    assert.equal(job.progress.done, 1)
    assert.equal(versions.at(-1), job.version)
    assert.deepEqual(versions, [...new Set(versions)])
    const results = []
    for await (const result of backline.jobs.results.list(job.id)) results.push([result.index, result.id])
    assert.deepEqual(results, [[0, id]])
  })

  test('asks for changes alone, and ends with its signal', async () => {
    const { backline, sent } = await desk()
    const { id } = await backline.exports.start({ objects: ['tags'] })
    await backline.jobs.wait(id)
    const asked = sent.filter(({ path }) => path === `/v1/jobs/${id}`)
    assert.equal(asked[0]!.ifNoneMatch, null)
    for (const { ifNoneMatch } of asked.slice(1)) assert.match(ifNoneMatch!, /^"\d+"$/)
    await assert.rejects(backline.jobs.wait(id, { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  })
})

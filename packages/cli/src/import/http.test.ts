import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openSource } from './http.ts'
import { whileLocked } from './lock.ts'
import { type Answer, type Asked, serve, temporaryFolder } from './recorded.test-fixtures.ts'

async function source(t: TestContext, answer: (asked: Asked) => Answer | null) {
  const server = await serve(t, answer)
  const pauses: number[] = []
  const client = openSource({
    title: 'Zendesk',
    base: server.url,
    headers: { api_access_token: 'secret' },
    signal: new AbortController().signal,
    pause: async (ms) => void pauses.push(ms),
  })
  return { ...server, client, pauses }
}

describe('reading the API of another product', () => {
  test('waits until the time of X-RateLimit-Reset, and a date of Retry-After', async (t) => {
    const inTenSeconds = Date.now() + 10_000
    const early: Answer[] = [
      { status: 429, headers: { 'x-ratelimit-reset': String(Math.ceil(inTenSeconds / 1000)) } },
      { status: 503, headers: { 'retry-after': new Date(inTenSeconds + 1_000).toUTCString() } },
    ]
    const { client, pauses } = await source(t, () => early.shift() ?? { body: { ok: true } })
    assert.deepEqual(await client.get('/x'), { ok: true })
    assert.ok(
      pauses.every((ms) => ms > 1_000 && ms < 12_000),
      String(pauses),
    )
  })

  test('gives up after failures in a row, and at once where nothing has answered yet', async (t) => {
    const { client, requests } = await source(t, () => ({ status: 500, body: {} }))
    await assert.rejects(client.get('/x'), /Zendesk answered 500 to \/x/)
    assert.equal(requests.length, 10)
    const signal = new AbortController().signal
    const pauses: number[] = []
    const pause = async (ms: number) => void pauses.push(ms)
    const nowhere = openSource({ title: 'Zendesk', base: 'http://127.0.0.1:1', headers: {}, signal, pause })
    await assert.rejects(nowhere.get('/x'), /Zendesk cannot be reached at http:\/\/127.0.0.1:1: /)
    assert.equal(pauses.length, 2)
  })

  test('says that a page is not JSON, such as that of a login', async (t) => {
    const { client, requests } = await source(t, () => ({ body: '<html>Sign in</html>' }))
    await assert.rejects(client.get('/x'), /did not answer with JSON; is this Zendesk\?/)
    assert.equal(requests.length, 1)
  })

  test('sends credentials to the product alone, also after a redirect', async (t) => {
    const seen: unknown[] = []
    const other = await serve(t, ({ headers }) => {
      seen.push(headers.api_access_token)
      return { body: 'PDF' }
    })
    const { client } = await source(t, ({ path, headers }) => {
      seen.push(headers.api_access_token)
      return { status: 302, headers: { location: path === '/a' ? '/b' : `${other.url}/c` }, body: '' }
    })
    const file = join(temporaryFolder(t), 'file')
    assert.equal(await client.download('/a', file), null)
    assert.deepEqual(seen, ['secret', 'secret', undefined])
    assert.equal(readFileSync(file, 'utf8'), 'PDF')
    await client.download(`${other.url}/c`, file)
    assert.deepEqual(seen[3], undefined)
  })

  test('leaves no part of a file that cannot be fetched, and says why', async (t) => {
    const { client } = await source(t, ({ path }) => (path === '/gone' ? null : { status: 503, body: '' }))
    const file = join(temporaryFolder(t), 'file')
    assert.match((await client.download('/gone', file))!, /Zendesk answered 404 to \/gone/)
    assert.match((await client.download('/away', file))!, /Zendesk answered 503 to \/away/)
    assert.match((await client.download('ftp://x.test/a', file))!, /the address is not valid/)
    assert.ok(!existsSync(file) && !existsSync(`${file}.part`))
  })

  test('of a disk that takes no files is an error, and no missing file', async (t) => {
    const { client } = await source(t, () => ({ body: 'PDF' }))
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'file'), '')
    await assert.rejects(client.download('/a', join(folder, 'file/below')), { code: 'folder_not_usable' })
  })
})

test('a folder is used by one import at a time', async (t) => {
  const folder = temporaryFolder(t)
  await whileLocked(folder, async () => {
    await assert.rejects(
      whileLocked(folder, async () => undefined),
      { code: 'folder_in_use' },
    )
  })
  assert.equal(await whileLocked(folder, async () => 'done'), 'done')
})

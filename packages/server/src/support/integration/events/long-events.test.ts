import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

/* Events of long articles, each of more than two megabytes. */

const api = service()
const edits = 8

async function longArticle(client: Client): Promise<string> {
  const body = (i: number) => `${i} ${'word '.repeat(100_000)}`
  const { id } = succeeded(await client.post('/v1/kb/articles', { title: 'Long', body: body(0) }))
  for (let i = 1; i < edits; i++) succeeded(await client.patch(`/v1/kb/articles/${id}`, { body: body(i) }))
  return id
}

async function walk(client: Client, query: string): Promise<{ pages: number[]; versions: number[] }> {
  const [pages, versions]: [number[], number[]] = [[], []]
  for (let cursor = ''; ; ) {
    const page = succeeded(await client.get(`/v1/events?limit=100${query}${cursor}`))
    pages.push(page.data.length)
    versions.push(...page.data.map(({ resource }: Body) => resource.version))
    if (!page.has_more) return { pages, versions }
    cursor = `&cursor=${page.resume_cursor}`
  }
}

test('a page of long events is short, and the walk sees each of them once', async () => {
  const { test } = await api.world()
  const id = await longArticle(test)
  for (const query of ['', '&types=kb_article.*', `&resource_id=${id}`]) {
    const { pages, versions } = await walk(test, query)
    assert.deepEqual(
      versions.slice(-edits),
      Array.from({ length: edits }, (_, i) => i + 1),
    )
    assert.ok(Math.max(...pages) <= 6, `pages of ${pages} events`)
  }
})

test('a stream of long events is given each of them', async () => {
  const { test: client } = await api.world()
  succeeded(await client.post('/v1/tags', { name: 'first' }))
  const { resume_cursor } = succeeded(await client.get('/v1/events?limit=1'))
  await longArticle(client)
  const url = `${api.url}/v1/events/stream?cursor=${encodeURIComponent(resume_cursor)}`
  const aborter = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${client.key}` },
    signal: aborter.signal,
  })
  let told = 0
  let rest = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split('"type":"kb_article.')
    told += parts.length - 1
    rest = parts.at(-1)!.slice(-30)
    if (told === edits) break
  }
  aborter.abort()
  assert.equal(told, edits)
})

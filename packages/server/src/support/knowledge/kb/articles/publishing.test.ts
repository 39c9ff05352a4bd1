import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { act, article, assertRefused, patch, published, shown } from '@backline/test/knowledge.ts'

const api = service()
const hour = 3600
const inAnHour = () => new Date(api.now() + hour * 1000).toISOString()
const appoint = async (client: Client, draft: Body, publish_at = inAnHour()): Promise<Body> =>
  succeeded(await act(client, draft, 'publish', { publish_at }))
const advance = async (client: Client, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))
const typesOf = async (client: Client, { id }: Body): Promise<string[]> =>
  succeeded(await client.get(`/v1/events?resource_id=${id}`)).data.map(({ type }: Body) => type)

describe('publish_at', () => {
  test('publishes the draft as it is at that moment, stamped with it', async () => {
    const { test } = await api.world()
    const draft = await article(test, { title: 'One' })
    const { publish_at, status } = await appoint(test, draft)
    assert.equal(status, 'draft')
    succeeded(await patch(test, draft, { title: 'Two' }))
    await advance(test, hour - 60)
    assert.equal(await shown(test, draft, 'published'), null)
    await advance(test, 120)
    const served = await shown(test, draft, 'published')
    assert.partialDeepStrictEqual(served, { title: 'Two', published_at: publish_at, publish_at: null })
    assert.deepEqual(await typesOf(test, draft), [
      'kb_article.created',
      'kb_article.updated',
      'kb_article.updated',
      'kb_article.published',
    ])
    const [version] = succeeded(await test.get(`/v1/kb/articles/${draft.id}/versions`)).data
    assert.equal(version.published_by.type, 'api_key', 'Whoever appointed it')
  })

  test('of an article that is served leaves it so until then', async () => {
    const { test } = await api.world()
    const first = await published(test, { title: 'One' })
    succeeded(await patch(test, first, { title: 'Two' }))
    await appoint(test, first)
    assert.equal((await shown(test, first, 'published'))?.title, 'One')
    await advance(test, hour)
    assert.equal((await shown(test, first, 'published'))?.title, 'Two')
  })

  test('moves with another appointment, and is taken back by null', async () => {
    const { test } = await api.world()
    const [moved, cancelled] = [await article(test), await article(test)]
    const later = new Date(api.now() + 3 * hour * 1000).toISOString()
    await appoint(test, moved)
    await appoint(test, moved, later)
    await appoint(test, cancelled)
    assert.equal(succeeded(await patch(test, cancelled, { publish_at: null })).publish_at, null)
    await advance(test, 2 * hour)
    assert.equal((await shown(test, moved))?.status, 'draft')
    await advance(test, hour)
    assert.equal((await shown(test, moved))?.status, 'published')
    assert.equal((await shown(test, cancelled))?.status, 'draft')
  })

  test('is of no consequence once the article was published, unpublished, archived or deleted', async () => {
    const { test } = await api.world()
    const [now, back, gone] = [await article(test), await published(test), await article(test)]
    const archived = await article(test)
    for (const each of [now, back, gone, archived]) await appoint(test, each)
    succeeded(await act(test, now, 'publish'))
    succeeded(await act(test, back, 'unpublish'))
    succeeded(await act(test, archived, 'archive'))
    assert.equal((await test.delete(`/v1/kb/articles/${gone.id}`)).status, 204)
    assert.equal((await advance(test, 2 * hour)).events_emitted, 0)
    assert.equal((await shown(test, now))?.published_version, 1)
    assert.equal((await shown(test, back))?.status, 'draft')
    assert.equal((await shown(test, archived))?.status, 'archived')
  })

  test('422 for a time that is not in the future', async () => {
    const { test } = await api.world()
    const draft = await article(test)
    const past = '2020-01-01T00:00:00Z'
    assertRefused(await act(test, draft, 'publish', { publish_at: past }), '/publish_at', 'too_small')
    assertRefused(await patch(test, draft, { publish_at: past }), '/publish_at', 'too_small')
  })

  test('publishes two hundred that are due at once', async () => {
    const { test } = await api.world()
    const publish_at = inAnHour()
    const drafts = await Promise.all(Array.from({ length: 200 }, () => article(test)))
    await Promise.all(drafts.map((draft) => appoint(test, draft, publish_at)))
    assert.equal((await advance(test, hour)).events_emitted, 200)
    const { total } = succeeded(await test.get('/v1/kb/articles?status=published&include=total'))
    assert.equal(total, 200)
  })

  test('publishes long ones, and lists end a page where they become too long for one', async () => {
    const { test } = await api.world()
    const publish_at = inAnHour()
    const body = 'word '.repeat(100_000)
    const ids: string[] = []
    for (let i = 0; i < 6; i++) {
      const draft = await article(test, { body })
      ids.unshift(draft.id)
      await appoint(test, draft, publish_at)
    }
    assert.equal((await advance(test, hour)).events_emitted, 6)
    const seen: string[] = []
    const pages: number[] = []
    let path: string | null = '/v1/kb/articles?view=published&limit=100'
    while (path) {
      const { data, next_cursor } = succeeded(await test.get(path))
      seen.push(...data.map(({ id }: Body) => id))
      pages.push(data.length)
      path = next_cursor && `/v1/kb/articles?view=published&limit=100&cursor=${next_cursor}`
    }
    assert.deepEqual(seen, ids)
    assert.deepEqual(pages, Array(3).fill(2))
  })
})

describe('feedback', () => {
  const vote = async (client: Client, { id }: Body, user: string, helpful: boolean) =>
    succeeded(await client.post(`/v1/kb/articles/${id}/feedback`, { helpful, external_user_id: user }))
  const counts = ({ helpful_count, unhelpful_count }: Body) => [helpful_count, unhelpful_count]

  test('one vote for each end user, changeable; no version and no event', async () => {
    const { test } = await api.world()
    const first = await published(test)
    assert.deepEqual(counts(await vote(test, first, 'a', true)), [1, 0])
    assert.deepEqual(counts(await vote(test, first, 'a', true)), [1, 0])
    assert.deepEqual(counts(await vote(test, first, 'b', true)), [2, 0])
    assert.deepEqual(counts(await vote(test, first, 'a', false)), [1, 1])
    const now = await shown(test, first)
    assert.deepEqual([...counts(now), now?.version, now?.updated_at], [1, 1, first.version, first.updated_at])
    assert.deepEqual(await typesOf(test, first), ['kb_article.created', 'kb_article.published'])
  })

  test('200 or 404 while the article is deleted', async () => {
    const { test } = await api.world()
    const first = await published(test)
    const votes = Array.from({ length: 8 }, (_, i) =>
      test.post(`/v1/kb/articles/${first.id}/feedback`, { helpful: true, external_user_id: `user ${i}` }),
    )
    assert.equal((await test.delete(`/v1/kb/articles/${first.id}`)).status, 204)
    for (const { status, text } of await Promise.all(votes)) assert.ok(status === 200 || status === 404, text)
  })

  test('is answered without the text', async () => {
    const { test } = await api.world()
    const reply = await vote(test, await published(test), 'a', true)
    assert.ok(!('body' in reply) && !('body_html' in reply))
  })

  test('counts are right when many vote, and change their minds, at once', async () => {
    const { test } = await api.world()
    const first = await published(test)
    const votes = Array.from({ length: 60 }, (_, i) => ({ user: `user ${i % 20}`, helpful: i % 3 === 0 }))
    await Promise.all(votes.map(({ user, helpful }) => vote(test, first, user, helpful)))
    const [helpful, unhelpful] = counts(await shown(test, first))
    assert.equal(helpful + unhelpful, 20)
    const last = Array.from({ length: 20 }, (_, i) => vote(test, first, `user ${i}`, i < 5))
    await Promise.all(last)
    assert.deepEqual(counts(await shown(test, first)), [5, 15])
  })
})

describe('body_html', () => {
  const htmlOf = async (body: string) => {
    const { test } = await api.world()
    return (await article(test, { body })).body_html as string
  }

  test('CommonMark, with tables', async () => {
    assert.equal(
      await htmlOf('# One\n\n* a\n* b\n\n| a | b |\n|:-:|---|\n| 1 | 2 |\n\n```js\nx < 1\n```'),
      '<h1>One</h1>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<table>\n<thead>\n<tr>\n<th style="text-align:center">a</th>\n<th>b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td style="text-align:center">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n<pre><code class="language-js">x &lt; 1\n</code></pre>',
    )
  })

  test('links get rel, and HTML that is harmless stays', async () => {
    assert.equal(
      await htmlOf('[a](https://example.com "t") <kbd>Ctrl</kbd> <a href="mailto:a@b.c" target=_blank>m</a>'),
      '<p><a href="https://example.com" title="t" rel="noopener nofollow">a</a> <kbd>Ctrl</kbd> <a href="mailto:a@b.c" rel="noopener nofollow">m</a></p>',
    )
  })

  test('nothing that can do harm survives', async () => {
    const attacks = [
      '<script>alert(1)</script>',
      '<style>body{display:none}</style>',
      '<iframe src="https://example.com"></iframe>',
      '<img src=x onerror=alert(1)>',
      '<svg onload=alert(1)><script>alert(1)</script></svg>',
      '<math><mi xlink:href="data:x,<script>alert(1)</script>"></mi></math>',
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt:alert(1))',
      '[a](java&#x0A;script:alert(1))',
      '[a](data:text/html;base64,PHNjcmlwdD4=)',
      '![a](data:image/svg+xml;base64,PHN2Zz4=)',
      '<a href="javascript&colon;alert(1)">x</a>',
      '<a href=" &#14; javascript:alert(1)">x</a>',
      '<a href="vbscript:x">x</a>',
      '<form action="https://example.com"><input name=a><button>x</button></form>',
      '<object data="x"></object><embed src="x"><base href="https://example.com">',
      '<meta http-equiv="refresh" content="0;url=https://example.com">',
      '<p style="background:url(javascript:alert(1))" onclick="x" id="x" class="y">x</p>',
      '<td style="position:fixed">x</td>',
      '<a href="//example.com">x</a>',
      '<!--[if IE]><script>alert(1)</script><![endif]-->',
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
      '<textarea><script>alert(1)</script></textarea>',
      '<xmp><script>alert(1)</script></xmp>',
      '[a]: javascript:alert(1)\n\n[a]',
      '<javascript:alert(1)>',
      '<scr<script>ipt>alert(1)</script>',
    ]
    for (const attack of attacks) {
      const html = await htmlOf(`before ${attack} after\n\n${attack}\n\nend`)
      const tags = [...html.replace(/ title="[^"]*"/g, '').matchAll(/<[^>]*>/g)].map(([tag]) => tag).join('')
      assert.doesNotMatch(
        tags,
        /<(script|style|iframe|svg|math|form|input|button|object|embed|base|meta|noscript|textarea)|\son\w+=|javascript|vbscript|data:|position|url\(|"\/\/|class="y"|\sid=/i,
        `${attack} → ${html}`,
      )
      assert.match(html, /end/, attack)
    }
  })

  test('422 for what would be out of all proportion, and no time lost with nests', async () => {
    const { test } = await api.world()
    const bomb = `[a]: <https://example.com/${'x'.repeat(10_000)}>\n\n${'[a] '.repeat(10_000)}`
    assertRefused(await test.post('/v1/kb/articles', { body: bomb }), '/body', 'too_long')
    const nest = (tag: string, times: number) =>
      test.post('/v1/kb/articles', { body: `${tag.repeat(times)}end` })
    assert.equal((await nest('<div>', 10_000)).status, 201)
    for (const tag of ['<div>', '<b>', '<x>', '<ul><li>', '<b></x>'])
      assertRefused(await nest(tag, 10_001), '/body', 'too_long')
    assert.equal((await nest('<p>a</p><br><hr>\n\n', 15_000)).status, 201, 'Side by side')
  })

  test('422 for tables of more than 10,000 cells, written or filled up', async () => {
    const { test } = await api.world()
    const table = (columns: number, rows: string) =>
      `${'|a'.repeat(columns)}|\n${'|:-:'.repeat(columns)}|\n${rows}`
    const post = (body: string) => test.post('/v1/kb/articles', { body })
    assert.equal((await post(table(100, `${'|a'.repeat(100)}|\n`.repeat(99)))).status, 201)
    assertRefused(await post(table(100, `${'|a'.repeat(100)}|\n`.repeat(100))), '/body', 'too_long')
    assertRefused(await post(table(300, 'a\n'.repeat(200))), '/body', 'too_long')
  })

  test('422 for what takes longer than a second', async () => {
    const { test } = await api.world()
    const lazy = (length: number) => `${'>'.repeat(2_000)}a\n${'a\n'.repeat(length / 2 - 2_000)}`
    const body = lazy(512 * 1024)
    assertRefused(await test.post('/v1/kb/articles', { body }), '/body', 'too_large')
    assertRefused(await patch(test, await article(test), { body }), '/body', 'too_large')
  })

  test('of styles nothing is left but the alignment of cells', async () => {
    assert.equal(
      await htmlOf(
        '<table><tr><td style="color:red; text-align: center" colspan="2">a</td><th style="position:fixed">b</th></tr></table>',
      ),
      '<table><tr><td style="text-align:center" colspan="2">a</td><th>b</th></tr></table>',
    )
  })
})

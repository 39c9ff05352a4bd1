import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { file } from '@backline/test/files.ts'
import { service } from '@backline/test/harness.ts'
import { article, assertRefused } from '@backline/test/knowledge.ts'
import { made } from '@backline/test/macro-fixtures.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const body =
  '# A *title*\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n[x](javascript:alert) <script>alert(1)</script> <b>y</b>'

describe('a preview', () => {
  test('is the HTML that a saved article or FAQ has', async () => {
    const { test } = await api.world()
    const saved = await article(test, { body })
    assert.match(saved.body_html, /<table>/)
    assert.deepEqual(succeeded(await test.post('/v1/kb/preview', { body })), { body_html: saved.body_html })
    const { answer_html } = await made(test, 'faqs', { question: 'Why?', answer: body })
    const preview = succeeded(await test.post('/v1/kb/preview', { type: 'faq', body }))
    assert.deepEqual(preview, { body_html: answer_html })
  })

  test('keeps the addresses of files in articles, and describes them in FAQs', async () => {
    const { test } = await api.world()
    const { id } = await file(api, test)
    const shown = { body: `![A card](file:${id})` }
    const { body_html } = succeeded(await test.post('/v1/kb/preview', shown))
    assert.equal(body_html, `<p><img src="file:${id}" alt="A card" /></p>`)
    const faq = succeeded(await test.post('/v1/kb/preview', { ...shown, type: 'faq' }))
    assert.equal(faq.body_html, '<p>A card</p>')
  })

  test('is not stored under its idempotency key: a replay renders it again, on any process', async () => {
    const { test, environments } = await api.world()
    const headers = { 'idempotency-key': 'preview-1' }
    const first = await test.post('/v1/kb/preview', { body }, headers)
    const stored = await api.db.rows(sql`select key, own_body from idempotency_keys
      where tenant_id = ${environments.test.tenantId} and key = 'preview-1'`)
    assert.deepEqual(stored, [{ key: 'preview-1', own_body: null }])
    const other = (await api.another()).client(test.key)
    for (const client of [test, other]) {
      const replay = await client.post('/v1/kb/preview', { body }, headers)
      assert.equal(replay.text, first.text)
      assert.equal(replay.headers.get('idempotent-replayed'), 'true')
      assert.equal(replay.headers.get('original-request-id'), first.headers.get('request-id'))
      const changed = await client.post('/v1/kb/preview', { body: 'Changed' }, headers)
      assert.deepEqual([changed.status, changed.body.code], [422, 'idempotency_key_reused'])
    }
  })

  test('of a text that cannot be saved is refused for the same reason', async () => {
    const { test } = await api.world()
    const cells = `| a |\n|---|\n${'| b |\n'.repeat(10_001)}`
    const refused = await test.post('/v1/kb/articles', { title: 'Cells', body: cells })
    const answer = await test.post('/v1/kb/preview', { body: cells })
    assertRefused(answer, '/body', 'too_long')
    assert.deepEqual(answer.body.errors, refused.body.errors)
    assertRefused(await test.post('/v1/kb/preview', { body: 'é'.repeat(300_000) }), '/body', 'too_long')
    assertRefused(
      await test.post('/v1/kb/preview', { type: 'faq', body: 'a'.repeat(65_537) }),
      '/body',
      'too_long',
    )
  })

  test('changes nothing, and needs to read the knowledge base alone', async () => {
    const { withScopes, test } = await api.world()
    const client = await withScopes('kb:read')
    assert.deepEqual(succeeded(await client.post('/v1/kb/preview', { body: '' })), { body_html: '' })
    assert.deepEqual(succeeded(await test.get('/v1/kb/articles')).data, [])
    const events = succeeded(await test.get('/v1/events')).data
    assert.deepEqual(
      events.filter(({ type }: { type: string }) => type.startsWith('kb_')),
      [],
    )
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { act, type Body, conversation, holdReason, operator, say, succeeded } from '@backline/test/desk.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { slowTexts } from '@backline/test/slow-texts.ts'
import { publicUrl } from '../../../platform/kernel/public-url.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true })

const bold = { body: '**Hi** & <b>you</b>', body_format: 'markdown' }
const boldHtml = '<p><strong>Hi</strong> &amp; <b>you</b></p>'
const image = { body: 'see ![a "cat"](https://cats.example/cat.gif)', body_format: 'markdown' }

const htmlOf = async (client: Client, author_side: string, fields: object): Promise<string | null> =>
  (await say(client, (await conversation(client)).id, author_side, fields)).body_html
const messagesOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/messages?limit=100`)).data
const eventsOf = async (client: Client, type: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/events?limit=100&types=${type}`)).data
const inAnHour = async (client: Client): Promise<string> => {
  const { now } = succeeded(await client.get('/v1/test_clock'))
  return new Date(Date.parse(now) + 3600_000).toISOString()
}
const anHourLater = async (client: Client) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 3600 }))

describe('body_html of a message', () => {
  test('is the escaped text, with line breaks', async () => {
    const { test } = await api.world()
    assert.equal(await htmlOf(test, 'end_user', { body: 'Plain.' }), 'Plain.')
    assert.equal(
      await htmlOf(test, 'operator', { body: 'a < b\n"c" & d\r\n**e**\r<img src="file:x">' }),
      'a &lt; b<br>&quot;c&quot; &amp; d<br>**e**<br>&lt;img src=&quot;file:x&quot;&gt;',
    )
  })

  test('is the HTML of Markdown, the same in each answer, list and event', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const said = await say(test, id, 'operator', bold)
    assert.equal(said.body_html, boldHtml)
    const table = `${'| a '.repeat(20)}|\n${'|---'.repeat(20)}|\n${`${'| 1 '.repeat(20)}|\n`.repeat(100)}`
    const long = await say(test, id, 'operator', { body: table, body_format: 'markdown' })
    assert.match(long.body_html, /^<table>\n<thead>\n<tr>\n<th>a<\/th>/)
    assert.equal(long.body_html.match(/<td>/g).length, 2_000)
    assert.deepEqual(await messagesOf(test, id), [said, long])
    assert.deepEqual(succeeded(await test.get(`/v1/messages/${said.id}`)), said)
    assert.deepEqual(
      (await eventsOf(test, 'message.created')).map(({ data }) => data.object.body_html).toSorted(),
      [said.body_html, long.body_html].toSorted(),
    )
  })

  test('contains nothing that can do harm', async () => {
    const { test } = await api.world()
    const attacks = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '[a](data:text/html;base64,PHNjcmlwdD4=)',
      '![a](data:image/svg+xml;base64,PHN2Zz4=)',
      '<svg onload=alert(1)></svg>',
      '<p style="position:fixed" onclick="x">x</p>',
    ]
    for (const author_side of ['operator', 'end_user']) {
      const html = await htmlOf(test, author_side, {
        body: `${attacks.join('\n\n')}\n\nend`,
        body_format: 'markdown',
      })
      assert.doesNotMatch(html!, /script|\son\w+=|data:|svg|style/i)
      assert.match(html!, /end/)
    }
  })

  test('has images of operators, and the descriptions of images of end users', async () => {
    const { test } = await api.world()
    assert.equal(
      await htmlOf(test, 'operator', image),
      '<p>see <img src="https://cats.example/cat.gif" alt="a &quot;cat&quot;" /></p>',
    )
    assert.equal(await htmlOf(test, 'end_user', image), '<p>see a &quot;cat&quot;</p>')
    assert.equal(
      await htmlOf(test, 'end_user', {
        body: `a <img src="https://cats.example/cat.gif" title='> alt="b"'> <img alt=c src=/p> d`,
        body_format: 'markdown',
      }),
      '<p>a  c d</p>',
    )
  })

  test('is the escaped text of Markdown that becomes too long, or has no stored HTML', async () => {
    const { test, environments } = await api.world()
    const body = slowTexts['a long address that is used often']!(65_536)
    const html = await htmlOf(test, 'end_user', { body, body_format: 'markdown' })
    assert.equal(html, body.replaceAll('\n', '<br>'))
    const { id } = await say(test, (await conversation(test)).id, 'operator', bold)
    await api.db.write(
      sql`update messages set body_html = null where tenant_id = ${environments.test.tenantId} and body = ${bold.body}`,
    )
    const { body_html } = succeeded(await test.get(`/v1/messages/${id}`))
    assert.equal(body_html, '**Hi** &amp; &lt;b&gt;you&lt;/b&gt;')
  })

  test('follows edits of the text, and of nothing else', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const said = await say(test, id, 'end_user', bold)
    const patch = async (fields: object) => succeeded(await test.patch(`/v1/messages/${said.id}`, fields))
    assert.equal((await patch({ metadata: { a: 'b' } })).body_html, boldHtml)
    const edited = await patch({ body: `_new_ ${image.body}` })
    assert.equal(edited.body_html, '<p><em>new</em> see a &quot;cat&quot;</p>')
    const event = (await eventsOf(test, 'message.updated')).find(({ data }) => 'body' in data.previous)!
    assert.equal(event.data.object.body_html, edited.body_html)
    assert.equal(event.data.previous.body_html, boldHtml)
    const text = await say(test, id, 'operator', { body: 'a' })
    assert.equal(
      succeeded(await test.patch(`/v1/messages/${text.id}`, { body: '*b* <' })).body_html,
      '*b* &lt;',
    )
  })
})

test('attached images are images in HTML, at the address of the content; other files are not', async () => {
  const { test } = await api.world()
  for (const author_side of ['operator', 'end_user']) {
    const note = { bytes: Buffer.from('A note'), filename: 'a.txt', content_type: 'text/plain' }
    const [inline, attached, other] = [
      await file(api, test),
      await file(api, test, note),
      await file(api, test),
    ]
    const body = `![a](file:${inline.id}) ![b](file:${attached.id}) ![c](file:${other.id}) [d](file:${inline.id})`
    const html = `<p><img src="${publicUrl(`/v1/files/${inline.id}/content`)}" alt="a" /> b c <a rel="noopener nofollow">d</a></p>`
    const attachments = [{ file_id: inline.id, disposition: 'inline' }, { file_id: attached.id }]
    const { id } = await conversation(test)
    const said = await say(test, id, author_side, { body, body_format: 'markdown', attachments })
    assert.equal(said.body_html, html)
    assert.deepEqual(succeeded(await test.get(`/v1/messages/${said.id}`)), said)
    const edited = succeeded(await test.patch(`/v1/messages/${said.id}`, { body: `${body}\n\ne` }))
    assert.equal(edited.body_html, `${html}\n<p>e</p>`)
  }
  const later = await file(api, test)
  const { id } = await conversation(test)
  const scheduled = await say(test, id, 'operator', {
    body: `![a](file:${later.id})`,
    body_format: 'markdown',
    attachments: [{ file_id: later.id, disposition: 'inline' }],
    send_at: await inAnHour(test),
  })
  await anHourLater(test)
  const [sent] = await messagesOf(test, id)
  assert.equal(sent.body_html, `<p><img src="${publicUrl(`/v1/files/${later.id}/content`)}" alt="a" /></p>`)
  assert.equal(sent.body_html, scheduled.body_html)
})

describe('HTML is rendered for', () => {
  test('the first message of a conversation', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test, { message: bold })
    const [first] = await messagesOf(test, id)
    assert.equal(first.body_html, boldHtml)
  })

  test('a message that follows up a closed conversation', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await act(test, id, 'resolve')
    await act(test, id, 'close')
    const said = await say(test, id, 'end_user', { ...bold, on_closed: 'follow_up' })
    assert.notEqual(said.conversation_id, id)
    assert.equal(said.body_html, boldHtml)
  })

  test('a scheduled message, when it is edited, and as it is sent', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const later = await say(test, id, 'operator', { ...bold, send_at: await inAnHour(test) })
    assert.equal(later.body_html, boldHtml)
    const edited = succeeded(await test.patch(`/v1/messages/${later.id}`, { body: '# One' }))
    assert.equal(edited.body_html, '<h1>One</h1>')
    await anHourLater(test)
    const [sent] = await messagesOf(test, id)
    assert.partialDeepStrictEqual(sent, { id: later.id, status: 'sent', body_html: '<h1>One</h1>' })
  })

  test('templates, macros and messages of holds', async () => {
    const { test } = await api.world()
    const template = succeeded(
      await test.post('/v1/message_templates', {
        name: 'Hello',
        body: '*{{ conversation.subject }}*',
        body_format: 'markdown',
      }),
    ).id
    const { id } = await conversation(test, { subject: 'Cards <b>' })
    const html = '<p><em>Cards <b></b></em></p>'
    const acting = { 'backline-operator': await operator(test) }
    const { id: macro } = succeeded(
      await test.post('/v1/macros', {
        name: 'Hello',
        actions: [
          { type: 'reply', template_id: template },
          { type: 'note', body: 'a < b' },
        ],
      }),
    )
    const applied = succeeded(await test.post(`/v1/macros/${macro}/apply`, { conversation_id: id }, acting))
    assert.deepEqual(
      applied.messages.map(({ body_html }: Body) => body_html),
      [html, 'a &lt; b'],
    )
    const hold_reason_id = await holdReason(test, {
      follow_up: { template_id: template, every_seconds: 3600, max_count: 1 },
    })
    await act(test, id, 'hold', { hold_reason_id })
    await anHourLater(test)
    assert.deepEqual(
      (await messagesOf(test, id)).map(({ body_html }) => body_html),
      [html, 'a &lt; b', html],
    )
  })
})

describe('redaction', () => {
  const secret = { body: '**Secret**', body_format: 'markdown' }

  test('removes the HTML from the message, its events and stored responses', async () => {
    const { test, environments } = await api.world()
    const { id } = await conversation(test)
    const headers = { 'idempotency-key': randomUUID() }
    const post = () =>
      test.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', ...secret }, headers)
    const said = succeeded(await post())
    assert.equal(said.body_html, '<p><strong>Secret</strong></p>')
    succeeded(await test.patch(`/v1/messages/${said.id}`, { body: '_Secret_' }))
    const redacted = succeeded(await test.post(`/v1/messages/${said.id}/redact`))
    assert.partialDeepStrictEqual(redacted, { body: '', body_html: null })
    assert.deepEqual(succeeded(await test.get(`/v1/messages/${said.id}`)), redacted)
    assert.partialDeepStrictEqual((await post()).body, { body: '', body_html: null })
    assert.doesNotMatch(JSON.stringify(await eventsOf(test, 'message.*')), /Secret/)
    const [row] = await api.db.rows<{ body_html: string | null }>(
      sql`select body_html from messages where tenant_id = ${environments.test.tenantId}`,
    )
    assert.equal(row!.body_html, null)
  })

  test('removes the HTML of a scheduled message', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const later = await say(test, id, 'operator', { ...secret, send_at: await inAnHour(test) })
    const redacted = succeeded(await test.post(`/v1/messages/${later.id}/redact`))
    assert.partialDeepStrictEqual(redacted, { body: '', body_html: null })
    assert.doesNotMatch(JSON.stringify(await eventsOf(test, 'message.*')), /Secret/)
  })
})

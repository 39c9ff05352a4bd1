import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { act, type Body, conversation, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { previews } from './preview.ts'

const api = service()

const lastOf = async (client: Client, id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/conversations/${id}?include=last_message`)).last_message
const textOf = async (client: Client, body: string, body_format = 'text'): Promise<string> => {
  const { id } = await conversation(client)
  await say(client, id, 'end_user', { body, body_format })
  return (await lastOf(client, id)).text
}

describe('include=last_message', () => {
  test('is the newest public message, with its author as named today', async () => {
    const { test } = await api.world()
    const { id, end_user_id } = await conversation(test, { external_user_id: 'anna' })
    assert.equal(await lastOf(test, id), null)
    const message = await say(test, id, 'end_user', { body: 'My card' })
    const ofAnna = {
      message_id: message.id,
      sequence: 1,
      author_side: 'end_user',
      author_id: end_user_id,
      author_name: null,
      text: 'My card',
      attachment_count: 0,
      created_at: message.created_at,
    }
    assert.deepEqual(await lastOf(test, id), ofAnna)
    succeeded(await test.patch(`/v1/end_users/${end_user_id}`, { name: 'Anna Berg' }))
    assert.deepEqual(await lastOf(test, id), { ...ofAnna, author_name: 'Anna Berg' })
    const ada = await operator(test, { name: 'Ada' })
    const answer = await say(test, id, 'operator', { operator_id: ada, body: 'Which one?' })
    const ofAda = {
      message_id: answer.id,
      sequence: 2,
      author_side: 'operator',
      author_id: ada,
      author_name: 'Ada',
      text: 'Which one?',
      attachment_count: 0,
      created_at: answer.created_at,
    }
    assert.deepEqual(await lastOf(test, id), ofAda)
    succeeded(await test.patch(`/v1/operators/${ada}`, { name: 'Ada Lovelace' }))
    assert.equal((await lastOf(test, id)).author_name, 'Ada Lovelace')
    const nobody = await say(test, id, 'system', { body: 'Automatic' })
    assert.partialDeepStrictEqual(await lastOf(test, id), {
      message_id: nobody.id,
      author_side: 'system',
      author_id: null,
      author_name: null,
    })
    const unnamed = await say(test, id, 'operator')
    assert.partialDeepStrictEqual(await lastOf(test, id), { message_id: unnamed.id, author_id: null })
  })

  test('is that of last_message_at and last_message_side, which notes do not move', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await say(test, id, 'operator', { visibility: 'internal' })
    assert.partialDeepStrictEqual(await shown(test, id), {
      message_count: 1,
      last_message_at: null,
      last_message_side: null,
    })
    assert.equal(await lastOf(test, id), null)
    const { id: message, created_at } = await say(test, id, 'end_user')
    await say(test, id, 'operator', { visibility: 'internal' })
    assert.partialDeepStrictEqual(await shown(test, id), {
      message_count: 3,
      last_message_at: created_at,
      last_message_side: 'end_user',
    })
    assert.partialDeepStrictEqual(await lastOf(test, id), { message_id: message, created_at })
  })

  test('is not a message that is scheduled', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const send_at = new Date(Date.now() + 86_400_000).toISOString()
    await say(test, id, 'operator', { send_at })
    assert.equal(await lastOf(test, id), null)
  })

  test('follows an edit, a redaction and a merge at once', async () => {
    const { test } = await api.world()
    const { id, end_user_id } = await conversation(test, { external_user_id: 'anna' })
    const { id: message } = await say(test, id, 'operator', { body: 'Helo' })
    succeeded(await test.patch(`/v1/messages/${message}`, { body: 'Hello' }))
    assert.equal((await lastOf(test, id)).text, 'Hello')
    succeeded(await test.post(`/v1/messages/${message}/redact`))
    assert.partialDeepStrictEqual(await lastOf(test, id), { message_id: message, text: '' })
    const { id: own } = await say(test, id, 'end_user', { body: 'From Anna' })
    const { id: into_id } = succeeded(await test.post('/v1/end_users', { name: 'Anna B' }))
    succeeded(await test.post(`/v1/end_users/${end_user_id}/merge`, { into_id }))
    assert.partialDeepStrictEqual(await lastOf(test, id), {
      message_id: own,
      author_id: end_user_id,
      author_name: 'Anna B',
    })
    const { id: target } = await conversation(test, { external_user_id: undefined, end_user_id: into_id })
    await say(test, target, 'end_user', { body: 'In the target' })
    await act(test, id, 'merge', { into_id: target })
    assert.equal((await lastOf(test, id)).text, 'From Anna')
    assert.equal((await lastOf(test, target)).text, 'In the target')
  })

  test('is in lists and view items, where asked for, and changes the ETag', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { id: empty } = await conversation(test)
    const { id: message } = await say(test, id, 'end_user', { body: 'One' })
    const view = succeeded(
      await test.post('/v1/views', {
        name: randomUUID(),
        filter: { field: 'status', op: 'exists', value: true },
      }),
    ).id
    for (const path of ['/v1/conversations', `/v1/views/${view}/items`]) {
      const { data } = succeeded(await test.get(`${path}?include=last_message,end_user`))
      assert.deepEqual(
        data.map((each: Body) => [each.id, each.last_message?.text ?? null]),
        [
          [empty, null],
          [id, 'One'],
        ],
      )
      assert.ok(!('last_message' in succeeded(await test.get(path)).data[0]))
    }
    const path = `/v1/conversations/${id}?include=last_message`
    const tag = (await test.get(path)).headers.get('etag')!
    assert.equal((await test.get(path, { 'if-none-match': tag })).status, 304)
    succeeded(await test.patch(`/v1/messages/${message}`, { body: 'Two' }))
    const changed = await test.get(path, { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.ok(!('last_message' in (await shown(test, id))))
    const { data } = succeeded(await test.get(`/v1/events?conversation_id=${id}`))
    assert.ok(!JSON.stringify(data).includes('"last_message"'))
  })

  test('needs the scope messages:read', async () => {
    const { withScopes, test } = await api.world()
    const { id } = await conversation(test)
    for (const path of ['/v1/conversations', `/v1/conversations/${id}`]) {
      const reader = await withScopes('conversations:read')
      const { status, body } = await reader.get(`${path}?include=last_message`)
      assert.deepEqual([status, body.params], [403, { scope: 'messages:read' }])
      const both = await withScopes('conversations:read', 'messages:read')
      succeeded(await both.get(`${path}?include=last_message`))
    }
  })

  test('tells how many files there are', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { id: file_id } = await file(api, test)
    await say(test, id, 'end_user', { body: '', attachments: [{ file_id }] })
    assert.partialDeepStrictEqual(await lastOf(test, id), { text: '', attachment_count: 1 })
  })
})

describe('the text', () => {
  test('is on one line, trimmed, and has its marks if it is no Markdown', async () => {
    const { test } = await api.world()
    assert.equal(await textOf(test, '  a\n\n b\t*c* \u00a0 <b>d</b>\r\n'), 'a b *c* <b>d</b>')
  })

  test('has at most 140 code points, of which the last is an ellipsis if it is longer', async () => {
    const { test } = await api.world()
    assert.equal(await textOf(test, 'x'.repeat(140)), 'x'.repeat(140))
    assert.equal(await textOf(test, 'x'.repeat(141)), `${'x'.repeat(139)}…`)
    assert.equal(await textOf(test, '😀'.repeat(140)), '😀'.repeat(140))
    assert.equal(await textOf(test, '😀'.repeat(141)), `${'😀'.repeat(139)}…`)
    assert.equal(await textOf(test, `${' \n'.repeat(300)}end`), 'end')
    assert.equal(await textOf(test, `**${'y '.repeat(100)}z**`, 'markdown'), `${'y '.repeat(69)}y…`)
  })

  test('of Markdown has the words of links, and neither marks, images nor HTML', () => {
    const texts: [markdown: string, text: string][] = [
      ['# Title\n\nSome **bold** and *fine* ~~gone~~ text.', 'Title Some bold and fine gone text.'],
      ['See [the *guide*](https://example.com/a) now', 'See the guide now'],
      ['See [the guide][1]\n\n[1]: https://example.com', 'See the guide'],
      ['<https://example.com/x>', 'https://example.com/x'],
      ['before ![a picture](https://example.com/a.png) after', 'before after'],
      ['a <b>bold</b> word<br>next', 'a bold wordnext'],
      ['<div class="x">\nhidden\n</div>\n\nshown', 'shown'],
      ['- one\n- two\n\n1. three\n2. four', 'one two three four'],
      ['> quoted\n> text\n\nanswer', 'quoted text answer'],
      ['`code` and\n\n```js\nlet x = 1\n```\n\nend', 'code and let x = 1 end'],
      ['| a | b |\n|---|---|\n| c | d |', 'a b c d'],
      ['one  \ntwo\\\nthree\nfour', 'one two three four'],
      ['1 \\* 2 &amp; 3 &lt; 4', '1 * 2 & 3 < 4'],
      ['---\n\nafter a rule', 'after a rule'],
      ['![only](https://example.com/a.png)', ''],
    ]
    assert.deepEqual(
      previews(texts.map(([body]) => ({ body, body_format: 'markdown' as const }))),
      texts.map(([, text]) => text),
    )
  })

  test('of long Markdown is made beside other requests', async () => {
    const { test } = await api.world()
    const long = `${'| a '.repeat(500)}|\n${'|---'.repeat(500)}|\n${'| **b** '.repeat(500)}|`
    assert.equal(await textOf(test, long, 'markdown'), `${'a '.repeat(69)}a…`)
    assert.equal(await textOf(test, `${'[a]('.repeat(4_000)}`, 'markdown'), `${'[a]('.repeat(34)}[a]…`)
  })
})

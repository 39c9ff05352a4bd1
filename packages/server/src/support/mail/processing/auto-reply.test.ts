import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { arrive, dmarcPass, type Mail, mailbox } from '@backline/test/mails.ts'

const api = service({ works: true })

async function desk(
  autoReply: object = {},
  fields: object = {},
  body = 'We have got your mail, {{ end_user.name }}.',
) {
  const { test: client } = await api.world()
  const template = succeeded(await client.post('/v1/message_templates', { name: 'Received', body }))
  const box = await mailbox(client, {
    trusted_authserv_ids: ['mx.example.com'],
    auto_reply: { template_id: template.id, ...autoReply },
    ...fields,
  })
  return { client, box }
}

const proven = (fields: Mail = {}): Mail => ({ top: [dmarcPass('example.net')], ...fields })

const messagesOf = async (client: Client, { conversation_id }: Body): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${conversation_id}/messages`)).data

describe('an automatic reply', () => {
  test('answers the mail that began a conversation, once, to its Reply-To, as the system', async () => {
    const { client, box } = await desk()
    const first = await arrive(
      client,
      proven({
        to: box.address,
        messageId: '<first@example.net>',
        headers: ['Reply-To: office@example.org'],
      }),
    )
    assert.deepEqual([first.status, first.auto_reply], ['created', 'sent'])
    const [mail, reply] = await messagesOf(client, first)
    assert.deepEqual(
      [reply!.author_side, reply!.visibility, reply!.body, reply!.in_reply_to_id],
      ['system', 'public', 'We have got your mail, Ada Lovelace.', mail!.id],
    )
    assert.deepEqual(
      [reply!.email.automatic, reply!.email.in_reply_to, reply!.email.to[0].address, reply!.email.cc],
      ['reply', '<first@example.net>', 'office@example.org', []],
    )
    const second = await arrive(
      client,
      proven({ to: box.address, headers: ['In-Reply-To: <first@example.net>'], body: 'And another thing.' }),
    )
    assert.deepEqual([second.status, second.auto_reply], ['threaded', null])
    assert.equal((await messagesOf(client, first)).length, 3)
  })

  const cases: [name: string, autoReply: object, mail: Mail, result: string | null][] = [
    ['is not sent to who is not proven', {}, {}, 'unauthenticated'],
    ['is sent to anyone if the mailbox says so', { to: 'anyone' }, {}, 'sent'],
    [
      'never answers an automatic reply',
      { to: 'anyone' },
      { headers: ['Auto-Submitted: auto-replied'] },
      null,
    ],
    [
      'never answers a generated mail',
      { to: 'anyone' },
      { headers: ['Auto-Submitted: auto-generated'] },
      null,
    ],
    ['never answers a list', { to: 'anyone' }, { headers: ['List-Id: <news.example.net>'] }, null],
    ['never answers bulk mail', { to: 'anyone' }, { headers: ['Precedence: bulk'] }, null],
    [
      'never answers who asks for none',
      { to: 'anyone' },
      { headers: ['X-Auto-Response-Suppress: OOF'] },
      null,
    ],
  ]
  for (const [name, autoReply, mail, result] of cases)
    test(name, async () => {
      const { client, box } = await desk(autoReply)
      const arrived = await arrive(client, { to: box.address, ...mail })
      assert.equal(arrived.auto_reply, result)
    })

  test('goes to an address at most five times an hour', async () => {
    const { client, box } = await desk()
    const results: string[] = []
    for (let i = 0; i < 6; i++)
      results.push((await arrive(client, proven({ to: box.address, body: `Mail ${i}` }))).auto_reply)
    assert.deepEqual(results, ['sent', 'sent', 'sent', 'sent', 'sent', 'limited'])
  })

  test('that cannot be rendered keeps no mail from becoming a conversation', async () => {
    const { client, box } = await desk({}, {}, 'Your order {{ order }}')
    const arrived = await arrive(client, proven({ to: box.address }))
    assert.deepEqual(
      [arrived.status, arrived.auto_reply, arrived.warnings],
      ['created', null, ['auto_reply_failed']],
    )
  })
})

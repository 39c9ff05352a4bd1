import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { sealed } from '@backline/test/audit.ts'
import { act, type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { arrive, deliver, mail, mailbox, processed } from '@backline/test/mails.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'
import { attempt, delivered, journalOf, webhookEndpoint } from '@backline/test/webhook-fixtures.ts'
import { smallBytes } from './receiving.ts'

const api = service({ works: true })

let told = 0

/** The texts of a mail, each only of this one. */
const texts = () => {
  const own = `gnu${++told}x`
  return {
    name: `${own}name`,
    address: `${own}address@example.net`,
    copied: `${own}copied@example.net`,
    path: `${own}path@example.net`,
    subject: `${own}subject`,
    body: `${own}body`,
    html: `${own}html`,
    quoted: `${own}quoted`,
    header: `${own}header`,
    replies: `${own}replies@example.net`,
    filename: `${own}filename`,
    dropped: `${own}dropped`,
    bytes: `${own}bytes`,
    answer: `${own}answer`,
  }
}
type Texts = ReturnType<typeof texts>

const values = (written: Texts): string[] => Object.values(written)

/** Those that only the mail has. The conversation and its people have others, and a message keeps names of files. */
const ofMailAlone = ({
  path,
  body,
  html,
  quoted,
  header,
  replies,
  dropped,
  bytes,
  answer,
}: Texts): string[] => [...[path, body, html, quoted, header, replies, dropped, bytes, answer]]

/** A mail with a text in each of its places. */
function written(to: string, own: Texts, more = ''): string {
  const file = (filename: string, text: string) => [
    '--outer',
    `Content-Type: text/plain; name="${filename}"`,
    `Content-Disposition: attachment; filename="${filename}"`,
    '',
    text,
  ]
  return mail({
    from: `${own.name} <${own.address}>`,
    to,
    subject: own.subject,
    headers: [
      `Cc: ${own.copied}`,
      `Reply-To: ${own.replies}`,
      `X-Own: ${own.header}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=outer',
    ],
    body: [
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain',
      '',
      own.body,
      '--inner',
      'Content-Type: text/html',
      '',
      `<p>${own.body} <b>${own.html}</b></p><p>On Monday, Team wrote:</p><blockquote type="cite">${own.quoted}</blockquote>`,
      '--inner--',
      ...file(`${own.filename}.txt`, own.bytes),
      ...file(`${own.dropped}.exe`, `MZ${more}`),
      '--outer--',
    ].join('\r\n'),
  })
}

/** A mail that arrived, whose event a receiver of webhooks repeated in its answer. */
async function arrived({ test: client, environments }: World, own: Texts, more = '') {
  const { address } = await mailbox(client)
  const raw = written(address, own, more)
  const send = () => deliver(client, raw, { mail_from: own.path, rcpt_to: [address] })
  const key = { 'idempotency-key': `key-${told}`, 'content-type': 'message/rfc822' }
  const query = new URLSearchParams({ mail_from: own.path, rcpt_to: address })
  const replay = () => client.post(`/v1/inbound_emails?${query}`, raw, key)
  const email = await processed(client, succeeded(await replay()).id)
  assert.equal(email.status, 'created', JSON.stringify(email))
  const endpoint = await webhookEndpoint(client, { enabled_events: ['tag.merged'] })
  const answer = attempt({ response_body: own.answer })
  const journal = await journalOf(api, environments.test)
  for (const event of journal.filter(({ type }) => type === 'inbound_email.processed'))
    await delivered(api, environments.test, endpoint.id, event, 'failed', [answer])
  return { address, email, raw, send, replay }
}

const foundIn = async (sought: string[]): Promise<Set<string>> =>
  new Set((await placesOf(api, sought)).map((place) => place.split(': ')[1]!))

/** Bytes of files are removed right after the commit. */
const isGone = async (sought: string[]): Promise<void> => {
  await until(
    'the bytes are gone',
    async () => !(await placesOf(api, sought)).some((place) => place.startsWith('file')),
  )
  assert.deepEqual(await placesOf(api, sought), [])
}

const rawStatus = async (client: Client, { id }: Body): Promise<number> =>
  (await client.get(`/v1/inbound_emails/${id}/raw`)).status

describe('a message that a mail made', () => {
  for (const [size, more] of [
    ['small', ''],
    ['large', '.'.repeat(smallBytes)],
  ] as const)
    test(`takes its ${size} mail along when it is redacted, from every table and file`, async () => {
      const world = await api.world()
      const { test: client } = world
      const own = texts()
      const { email, raw, send, replay } = await arrived(world, own, more)
      assert.deepEqual([...(await foundIn(values(own)))].sort(), values(own).sort())
      assert.equal(await rawStatus(client, email), 200)
      succeeded(await client.post(`/v1/messages/${email.message_id}/redact`))
      await isGone(ofMailAlone(own))
      for (const place of await placesOf(api, [own.subject, own.address, own.copied]))
        assert.doesNotMatch(place, /^(email_contents|inbound_email|messages)/)
      assert.equal(await rawStatus(client, email), 404)
      const { email: shown } = succeeded(await client.get(`/v1/messages/${email.message_id}`))
      assert.equal(shown, null)
      const left = succeeded(await client.get(`/v1/inbound_emails/${email.id}`))
      assert.deepEqual(
        [left.status, left.from, left.to, left.cc, left.reply_to, left.subject, left.mail_from],
        ['created', null, [], [], [], null, null],
      )
      assert.deepEqual([left.header_message_id, left.dropped_attachments], [email.header_message_id, []])
      const again = await send()
      assert.deepEqual([again.status, again.body.id], [200, email.id], 'the same mail is still recognised')
      assert.ok(raw.includes(own.body))
      const replayed = succeeded(await replay())
      assert.deepEqual([replayed.id, replayed.from, replayed.subject], [email.id, null, null])
      assert.equal((await sealed(client)).valid, true)
    })

  test('is still continued by a reply once it is redacted', async () => {
    const { test: client } = await api.world()
    const { address } = await mailbox(client)
    const first = await arrive(client, { to: address, messageId: '<first@example.net>' })
    succeeded(await client.post(`/v1/messages/${first.message_id}/redact`))
    const reply = await arrive(client, { to: address, headers: ['In-Reply-To: <first@example.net>'] })
    assert.deepEqual([reply.status, reply.conversation_id], ['threaded', first.conversation_id])
  })

  test('takes its mail along when a retention policy redacts it, and the bytes when it deletes files', async () => {
    const world = await api.world()
    const { test: client } = world
    const day = 86_400
    const own = texts()
    const { email } = await arrived(world, own)
    await act(client, email.conversation_id, 'close')
    const run = async (action: string, fields: object = {}) => {
      succeeded(
        await client.post('/v1/retention_policies', {
          name: `Mail ${action}`,
          filter: { field: 'channel', op: 'is', value: 'email' },
          after_seconds: day,
          action,
          status: 'enabled',
          ...fields,
        }),
      )
      succeeded(await client.post('/v1/test_clock/advance', { seconds: 2 * day }))
    }
    await run('delete_files')
    await until('the bytes are gone', async () => (await rawStatus(client, email)) === 404)
    await isGone([own.bytes])
    assert.equal(succeeded(await client.get(`/v1/inbound_emails/${email.id}`)).subject, own.subject)
    await run('redact')
    await until('the message is redacted', async () => (await foundIn([own.body])).size === 0)
    await isGone(ofMailAlone(own))
    assert.equal((await sealed(client)).valid, true)
  })
})

test('a conversation that is deleted takes its mails along, which arrive no second time', async () => {
  const world = await api.world()
  const { test: client } = world
  const own = texts()
  const { address, email, send } = await arrived(world, own)
  assert.equal((await client.delete(`/v1/conversations/${email.conversation_id}`)).status, 204)
  await until('the mail is erased', async () => (await rawStatus(client, email)) === 404)
  await isGone([...ofMailAlone(own), own.subject, own.filename])
  const again = await send()
  assert.deepEqual([again.status, again.body.id, again.body.subject], [200, email.id, null])
  const { data } = succeeded(await client.get('/v1/conversations'))
  assert.deepEqual(data, [])
  const reply = await arrive(client, {
    to: address,
    headers: [`In-Reply-To: ${email.header_message_id}`],
    body: 'Hello?',
  })
  assert.equal(reply.status, 'created', 'nothing is left to reply to')
  assert.equal((await sealed(client)).valid, true)
})

test('mails that made no message lose their bytes after 90 days, and cannot be processed again', async () => {
  const { test: client } = await api.world()
  const { address } = await mailbox(client)
  const failed = await arrive(client, { from: null, to: address })
  const { end_user_id } = await arrive(client, { from: 'Grace <grace@example.net>', to: address })
  succeeded(await client.post(`/v1/end_users/${end_user_id}/block`, { reason: 'Spam' }))
  const ignored = await arrive(client, { from: 'Grace <grace@example.net>', to: address, body: 'Again.' })
  const large = await arrive(client, { from: null, to: address, body: '.'.repeat(2 * smallBytes) })
  const threaded = await arrive(client, { to: address })
  assert.deepEqual(
    [failed.status, ignored.status, large.status, threaded.status],
    ['failed', 'ignored', 'failed', 'created'],
  )
  const all = [failed, ignored, large, threaded]
  const statuses = () => Promise.all(all.map((each) => rawStatus(client, each)))
  const days = (count: number) => client.post('/v1/test_clock/advance', { seconds: count * 86_400 })
  succeeded(await days(89))
  const again = succeeded(await client.post(`/v1/inbound_emails/${failed.id}/reprocess`))
  assert.equal((await processed(client, again.id)).reason, 'no_sender')
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  succeeded(await days(2))
  await until('the bytes are gone', async () => (await statuses()).join() === '404,404,404,200')
  for (const { id } of [failed, ignored, large]) {
    const refused = await client.post(`/v1/inbound_emails/${id}/reprocess`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition'], refused.text)
  }
  assert.deepEqual(succeeded(await client.get(`/v1/inbound_emails/${ignored.id}`)).from, ignored.from)
})

test('an end user who is deleted leaves no address by which mail would find it', async () => {
  const { test: client, environments } = await api.world()
  const { address } = await mailbox(client)
  const email = await arrive(client, { to: address })
  const path = `/v1/end_users/${email.end_user_id}`
  assert.equal((await client.delete(`/v1/conversations/${email.conversation_id}`)).status, 204)
  const senders = () =>
    api.db.rows(sql`select address from email_senders where tenant_id = ${environments.test.tenantId}
      and end_user_id = ${uuidOf('eu', email.end_user_id)}`)
  assert.equal((await senders()).length, 1)
  assert.equal((await client.delete(path)).status, 204)
  assert.equal((await senders()).length, 0)
  const next = await arrive(client, { to: address, body: 'Once more.' })
  assert.notEqual(next.end_user_id, email.end_user_id)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sealed } from '@backline/test/audit.ts'
import { type Body, say, shown, succeeded } from '@backline/test/desk.ts'
import { erase } from '@backline/test/erasures.ts'
import { service, type World } from '@backline/test/harness.ts'
import { arrive, mailbox } from '@backline/test/mails.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true })

let people = 0

/** The texts of a person who writes mails, each only of this one. */
const person = () => {
  const own = `okapi${++people}x`
  return {
    name: `${own}name`,
    address: `${own}address@example.net`,
    subject: `${own}subject`,
    body: `${own}body`,
    header: `${own}header`,
    failed: `${own}failed`,
    ignored: `${own}ignored`,
    joined: `${own}joined`,
    diagnostic: `${own}diagnostic`,
  }
}
type Person = ReturnType<typeof person>

/** Lets a person leave mails in all places where mail goes. */
async function traces({ test: client, environments }: World, own: Person) {
  const countedFor = (address: string) =>
    api.db.write(sql`insert into automatic_emails (tenant_id, address, message_id, created_at)
      values (${environments.test.tenantId}, ${address}, ${newUuid(api.now())}, ${toInstant(api.now())})`)
  const { address: to } = await mailbox(client)
  const from = `${own.name} <${own.address}>`
  const friend = `Grace <grace${people}@example.org>`
  const first = await arrive(
    client,
    {
      ...{ from, to, subject: own.subject, body: own.body },
      headers: [`X-Own: ${own.header}`, `Cc: ${friend}`, `Reply-To: ${own.address}`],
    },
    { mail_from: own.address, rcpt_to: to },
  )
  const answer = await arrive(client, {
    ...{ from: friend, to, subject: `Re: ${own.subject}` },
    headers: [`In-Reply-To: ${first.header_message_id}`, `Cc: ${from}`],
    body: `I agree.\r\n\r\nOn Monday, ${own.name} wrote:\r\n> ${own.body}\r\n`,
  })
  assert.deepEqual([answer.status, answer.conversation_id], ['threaded', first.conversation_id])
  const failed = await arrive(client, {
    from,
    to: 'nobody@example.com',
    subject: own.subject,
    body: own.failed,
  })
  assert.equal(failed.reason, 'no_mailbox')
  succeeded(await client.post(`/v1/end_users/${first.end_user_id}/block`, { reason: 'Spam' }))
  const ignored = await arrive(client, { from, to, subject: own.subject, body: own.ignored })
  assert.deepEqual([ignored.reason, ignored.end_user_id], ['blocked', null])
  succeeded(await client.post(`/v1/end_users/${first.end_user_id}/unblock`))
  // A mail to the person, of which the relay told something.
  const sent = await say(client, first.conversation_id, 'operator', { body: 'We look into it.' })
  assert.equal(sent.delivery.recipients[0].address, own.address)
  succeeded(
    await client.post(`/v1/messages/${sent.id}/delivery`, { status: 'failed', reason: own.diagnostic }),
  )
  succeeded(await client.post('/v1/email_suppressions', { address: own.address }))
  // A conversation of somebody else, in which the person wrote.
  const theirs = await arrive(client, { from: `Charles <charles${people}@example.org>`, to, body: 'Hello.' })
  const joined = await arrive(client, {
    ...{ from, to, body: own.joined },
    headers: [`In-Reply-To: ${theirs.header_message_id}`],
  })
  assert.deepEqual([joined.status, joined.end_user_id], ['threaded', first.end_user_id])
  await countedFor(own.address)
  return { first, answer, failed, ignored, theirs, joined }
}

const isGone = async (sought: string[]): Promise<void> => {
  await until(
    'the bytes are gone',
    async () => !(await placesOf(api, sought)).some((place) => place.startsWith('file')),
  )
  assert.deepEqual(await placesOf(api, sought), [])
}

describe('a person who wrote mails', () => {
  for (const crashes of [false, true])
    test(`is in no table any more once it is erased${crashes ? ', although each piece was lost once' : ''}`, async () => {
      const world = await api.world()
      const { test: client, environments } = world
      const own = person()
      const { first, answer, failed, ignored, theirs, joined } = await traces(world, own)
      const bystander = person()
      await traces(world, bystander)
      const before = await placesOf(api, Object.values(bystander))
      const found = new Set((await placesOf(api, Object.values(own))).map((place) => place.split(': ')[1]!))
      assert.deepEqual([...found].sort(), Object.values(own).sort())

      const { id } = await erase(api, environments.test, first.end_user_id, 'anonymise', { crashes })
      // The body of the answer is what somebody else wrote.
      assert.equal(succeeded(await client.get(`/v1/messages/${answer.message_id}`)).redacted_at, null)
      succeeded(await client.post(`/v1/messages/${answer.message_id}/redact`))
      await isGone(Object.values(own))
      assert.deepEqual(await placesOf(api, Object.values(bystander)), before, 'nobody else has lost anything')

      for (const each of [first, answer, failed, ignored, joined])
        assert.equal((await client.get(`/v1/inbound_emails/${each.id}/raw`)).status, 404)
      assert.equal((await client.get(`/v1/inbound_emails/${theirs.id}/raw`)).status, 200)
      assert.deepEqual(succeeded(await client.get('/v1/email_suppressions')).data.length, 1)
      const { participants } = await shown(client, first.conversation_id)
      assert.equal(participants.length, 1)
      const { counts } = succeeded(await client.get(`/v1/erasures/${id}`))
      assert.partialDeepStrictEqual(counts, { inbound_emails: 3, email_suppressions: 1, email_senders: 1 })
      assert.equal((await sealed(client)).valid, true)
    })

  test('takes the mails of deleted conversations along', async () => {
    const world = await api.world()
    const { test: client, environments } = world
    const own = person()
    const { first, theirs } = await traces(world, own)
    await erase(api, environments.test, first.end_user_id, 'delete', { crashes: true })
    await isGone(Object.values(own))
    assert.equal((await client.get(`/v1/conversations/${first.conversation_id}`)).status, 404)
    assert.equal((await shown(client, theirs.conversation_id)).participants.length, 0)
    assert.equal((await sealed(client)).valid, true)
  })

  test('is somebody new to mail that arrives afterwards', async () => {
    const world = await api.world()
    const { test: client, environments } = world
    const own = person()
    const { first } = await traces(world, own)
    await erase(api, environments.test, first.end_user_id)
    const { address: to } = await mailbox(client)
    const next = await arrive(client, { from: own.address, to, body: 'It is me again.' })
    assert.equal(next.status, 'created')
    assert.notEqual(next.end_user_id, first.end_user_id)
    const { data } = succeeded(await client.get(`/v1/inbound_emails?from=${own.address}`))
    assert.deepEqual(
      data.map(({ id }: Body) => id),
      [next.id],
    )
  })
})

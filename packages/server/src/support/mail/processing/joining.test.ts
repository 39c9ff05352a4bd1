import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { gatherPerson } from '@backline/server/support/data/person/gathering.ts'
import { type Body, shown, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { arrive, dmarcPass, mailbox } from '@backline/test/mails.ts'

/* People who write themselves into conversations by mail, and try to learn or to do more. */

const api = service({ works: true })

async function start() {
  const world = await api.world()
  const { address: to } = await mailbox(world.test, { trusted_authserv_ids: ['mx.example.com'] })
  return { world, client: world.test, to }
}

const answer = { headers: ['In-Reply-To: <begin@example.net>'] }
const eve = 'eve@attacker.example'
const proven = (from: string) => ({ from, top: [dmarcPass(from.split('@')[1]!)] })

test('who claims the addresses of others is not confirmed in their place', async () => {
  const { client, to } = await start()
  const { id } = succeeded(
    await client.post('/v1/end_users', {
      external_id: 'eve',
      emails: [
        { address: eve, verified: true },
        { address: 'bob@example.org', verified: false },
        { address: 'ada@example.net', verified: false },
      ],
    }),
  )
  const begun = await arrive(client, { ...proven('ada@example.net'), to, messageId: '<begin@example.net>' })
  const claiming = await arrive(client, { ...proven(eve), ...answer, to, body: 'Me, too.' })
  assert.equal(claiming.end_user_id, id)
  const bobs = { headers: [...answer.headers, 'Cc: bob@example.org'] }
  await arrive(client, { ...proven('ada@example.net'), ...bobs, to, body: 'Bob knows more.' })
  const adas = { headers: [...answer.headers, 'Cc: ada@example.net'] }
  await arrive(client, { ...proven('bob@example.org'), ...adas, to, body: 'I do.' })
  const { participants } = await shown(client, begun.conversation_id)
  assert.deepEqual(
    participants.map(({ address, confirmed }: Body) => [address, confirmed]),
    [
      [eve, false],
      ['bob@example.org', true],
    ],
  )
})

test('the data of a participant whom nobody confirmed has his own messages alone', async () => {
  const { world, client, to } = await start()
  await arrive(client, { to, messageId: '<begin@example.net>', body: 'My card is 4242.' })
  const { end_user_id } = await arrive(client, { from: eve, ...answer, to, body: 'Tell me more.' })
  const found: Body[] = []
  for await (const { family, rows } of gatherPerson(
    api.context(world.environments.test),
    uuidOf('eu', end_user_id)!,
  ))
    if (['conversations', 'messages'].includes(family)) found.push(...rows.map((row) => JSON.parse(row)))
  assert.deepEqual(
    found.map(({ object, body }) => [object, body]),
    [['message', 'Tell me more.']],
  )
})

test('automatic mail of a blocked end user is ignored', async () => {
  const { client, to } = await start()
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  succeeded(await client.post(`/v1/end_users/${begun.end_user_id}/block`, { reason: 'spam' }))
  const automatic = { headers: [...answer.headers, 'Auto-Submitted: auto-replied'] }
  const email = await arrive(client, { ...automatic, to, body: 'I am still here.' })
  assert.deepEqual([email.status, email.reason, email.message_id], ['ignored', 'blocked', null])
})

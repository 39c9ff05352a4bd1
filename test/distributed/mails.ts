import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { isLeased } from '@backline/server/platform/postgres/leases.ts'
import { gatherPerson } from '@backline/server/support/data/person/gathering.ts'
import {
  automaticHours,
  environmentsWithOldAutomatic,
  sweepAutomatic,
} from '@backline/server/support/mail/deliveries/queries.ts'
import { expireRaw } from '@backline/server/support/mail/inbound-emails/erasing.ts'
import {
  environmentsWithExpired,
  postponeWaiting,
} from '@backline/server/support/mail/inbound-emails/queries.ts'
import { mailboxOfRecipient } from '@backline/server/support/mail/listener/recipients.ts'
import { takeMail } from '@backline/server/support/mail/listener/taking.ts'
import {
  countHandedOver,
  endAttempt,
  endNeedless,
  environmentsWithOutgoing,
  extendTaking,
  isTakenBy,
  mailboxesWithOutgoing,
  nextOutgoing,
  openHandover,
  postponeOutgoing,
  releaseOutgoing,
  takeOutgoing,
} from '@backline/server/support/mail/sending/queries.ts'
import { outgoingWork } from '@backline/server/support/mail/sending/sender.ts'
import { act, type Body, conversation, operator, say, succeeded } from '../desk.ts'
import { erase } from '../erasures.ts'
import type { Service, World } from '../harness.ts'
import { arrive, dmarcPass, mail, mailbox } from '../mails.ts'

const daySeconds = 86_400

/** Mails of all kinds arrive, answer each other, expire, and go with their messages, conversations and people. */
export async function receiveMails(api: Service, world: World): Promise<void> {
  const { test, environments } = world
  const { tenantId } = environments.test
  const { address: to } = await mailbox(test, { trusted_authserv_ids: ['mx.example.com'] })
  const [local, domain] = to.split('@')
  await operator(test, { email: 'grace@example.com' })
  const from = (name: string, fields: object = {}) =>
    arrive(test, { from: `${name}@example.net`, to, ...fields })
  const answering = (id: string) => ({ headers: [`In-Reply-To: <${id}@example.net>`, 'Cc: eve@example.org'] })
  const file = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"']
  const begun = await from('ada', {
    messageId: '<begun@example.net>',
    headers: file,
    body: '--b\r\n\r\nHello\r\n--b\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nA file\r\n--b--',
  })
  await from('ada', { messageId: '<begun@example.net>', body: 'Another with this id' })
  await from('bob', { to: `${local}+nothing@${domain}`, ...answering('begun'), body: 'Bob' })
  await from('ada', { top: [dmarcPass('example.net')], ...answering('begun'), body: 'Proven' })
  await act(test, begun.conversation_id, 'close')
  const next = await from('ada', { ...answering('begun'), body: 'Once more' })
  await from('ada', { ...answering('begun'), body: 'And again' })
  succeeded(await test.get(`/v1/messages/${begun.message_id}/email`))

  const target = (await conversation(test, { external_user_id: 'merged' })) as Body
  const carol = await from('carol')
  succeeded(await test.post(`/v1/end_users/${carol.end_user_id}/merge`, { into_id: target.end_user_id }))
  await from('carol', { body: 'Again' })

  await from('nobody', { to: 'nobody@elsewhere.example' })
  succeeded(await test.post('/v1/test_clock/advance', { seconds: 91 * daySeconds }))
  await environmentsWithExpired(api.db, api.now(), 90)
  await expireRaw(api.context(environments.test), 10)
  const until = toInstant(api.now())
  await postponeWaiting(api.db.home(tenantId), tenantId, uuidOf('eml', begun.id)!, until, {
    dueAt: until,
    attempts: 1,
  })

  await takeByListener(api, to)

  succeeded(await test.post(`/v1/messages/${begun.message_id}/redact`))
  succeeded(await test.delete(`/v1/conversations/${next.conversation_id}`))
  const dave = await from('dave', { messageId: '<dave@example.net>', ...answering('begun') })
  await from('erin', {
    headers: ['In-Reply-To: <dave@example.net>', 'Cc: dave@example.net'],
    body: 'To Dave',
  })
  succeeded(await test.post('/v1/email_suppressions', { address: 'dave@example.net', reason: 'manual' }))
  await sendMails(api, world, to)
  await handOver(api, world)
  await say(test, dave.conversation_id, 'operator')
  for await (const _ of gatherPerson(api.context(environments.test), uuidOf('eu', dave.end_user_id)!));
  await erase(api, environments.test, dave.end_user_id, 'anonymise')
}

/** Mails go out, their deliveries are reported and tried again, bounce, and end with their messages. */
async function sendMails(api: Service, { test, environments }: World, address: string): Promise<void> {
  const { tenantId } = environments.test
  const mailbox_id = succeeded(await test.get('/v1/mailboxes')).data.find(
    (each: Body) => each.address === address,
  ).id
  const { id } = await conversation(test, { mailbox_id })
  const message = await say(test, id, 'operator', { email: { to: ['frank@example.net'] } })
  const path = `/v1/messages/${message.id}/delivery`
  const report = (fields: object) => test.post(path, { status: 'failed', ...fields })
  succeeded(await report({ header_message_id: '<provider@example.net>' }))
  succeeded(await test.post(`${path}/retry`))
  await arrive(test, {
    to: message.email.reply_to[0].address,
    headers: ['X-Failed-Recipients: frank@example.net', 'Content-Type: text/plain'],
  })
  succeeded(await test.post(`/v1/messages/${message.id}/redact`))
  succeeded(await test.delete(`/v1/conversations/${id}`))
  await environmentsWithOldAutomatic(api.db, api.now())
  const cutoff = toInstant(api.now() - automaticHours * 3_600_000)
  await sweepAutomatic(api.db.home(tenantId), tenantId, cutoff, 10)
}

/** The statements of the sender, for a mail whose mailbox has a relay. */
async function handOver({ db, now }: Service, { test, environments }: World): Promise<void> {
  const { tenantId } = environments.test
  const home = db.home(tenantId)
  const smtp = { host: 'relay.example.com', port: 587, security: 'starttls' }
  const box = await mailbox(test, { outbound: 'smtp', smtp, quote: 'last' })
  const { id } = await conversation(test, { mailbox_id: box.id })
  const message = await say(test, id, 'system', { email: { to: ['frank@example.net'] } })
  await say(test, id, 'operator', { email: { to: ['frank@example.net'] } })
  const path = `/v1/messages/${message.id}/delivery`
  succeeded(await test.post(path, { status: 'failed' }))
  succeeded(await test.post(`${path}/retry`))
  const time = toInstant(now() + 1_000 * daySeconds * 1_000) // after the environment's clock
  const mine = { messageId: uuidOf('msg', message.id)!, by: randomUUID() }
  await environmentsWithOutgoing(db, now())
  await mailboxesWithOutgoing(home, tenantId, { now: time, realNow: time })
  const mailboxId = uuidOf('mbx', box.id)
  await countHandedOver(home, tenantId, mailboxId!, time, 1)
  await takeOutgoing(
    home,
    tenantId,
    mailboxId!,
    { by: mine.by, until: time },
    { now: time, realNow: time },
    2,
  )
  await extendTaking(home, tenantId, mine, time)
  if (!(await openHandover(home, tenantId, mine, time))) throw new Error('The mail was not taken')
  await isTakenBy(home, tenantId, mine)
  await endNeedless(home, tenantId, mine, toInstant(0))
  await postponeOutgoing(home, tenantId, mine, time)
  await releaseOutgoing(home, tenantId, mine, time)
  await nextOutgoing(home, tenantId)
  await isLeased(home, tenantId, outgoingWork, time)
  await db
    .home(tenantId)
    .write(endAttempt(tenantId, { messageId: mine.messageId, unanswered: 0, dueAt: null }))
}

/** The listener finds mailboxes of any environment, by their address and by their id. */
async function takeByListener({ db, context }: Service, to: string): Promise<void> {
  const found = await mailboxOfRecipient(db, to)
  if (typeof found === 'string') throw new Error(found)
  const mailbox = found.ok
  await mailboxOfRecipient(db, `${typeId('mbx', mailbox.mailboxId)}@backline.internal`)
  const envelope = { protocol: 'lmtp', mailFrom: '', rcpt: [{ address: to, mailbox }] } as const
  await takeMail(
    { db, context },
    { ...envelope, rcpt: [...envelope.rcpt] },
    Readable.from([Buffer.from(mail())]),
  )
}

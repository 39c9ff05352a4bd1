import { type Api, itemsOf, type Json } from './api.ts'
import type { Desk } from './desk.ts'
import { bytesOf, type DemoAnswer, type DemoMail, mailbox, mails, messageIdOf } from './mails.ts'

const [patienceMs, pollMs] = [30_000, 200]

/**
 * Connects a mailbox, and lets mails arrive at it that operators answer. It does what earlier runs have left. Where no
 * process does background work, mails wait, and a later run goes on.
 * @returns the number of objects and mails that were created
 */
export async function setUpMail(api: Api, desk: Desk): Promise<number> {
  const found = await setUpMailbox(api)
  if (!found) return 0
  const run: Run = { api, desk, mailboxId: found.id, created: found.isNew ? 1 : 0 }
  await Promise.all(mails.map((mail) => exchange(run, mail, null)))
  return run.created
}

type Run = { api: Api; desk: Desk; mailboxId: string; created: number }

/** The new mailbox, or the one that has its address, unless that is archived or sends mail to the invented people. */
async function setUpMailbox({ call }: Api): Promise<{ id: string; isNew: boolean } | null> {
  try {
    const { id } = await call('POST', '/v1/mailboxes', { body: mailbox })
    return { id, isNew: true }
  } catch (error) {
    const { code, params } = error as { code?: string; params?: { id?: unknown } }
    if (code !== 'already_exists') throw error
    const { id, archived, outbound } = await call('GET', `/v1/mailboxes/${params?.id}`)
    return archived || outbound !== 'client' ? null : { id, isNew: false }
  }
}

/**
 * Delivers a mail, answers it, and delivers the mails that follow.
 * @param answered the `Message-ID` of the mail that it answers
 */
async function exchange(run: Run, mail: DemoMail, answered: string | null): Promise<void> {
  const { conversation_id } = await arrive(run, mail, answered)
  if (!mail.answer || conversation_id === null) return
  const answer = await sayOnce(run, conversation_id, mail.answer)
  if (!answer.delivery) return
  if (answer.delivery.status === 'queued')
    for (const body of mail.answer.reports)
      await run.api.call('POST', `/v1/messages/${answer.id}/delivery`, { body })
  for (const each of mail.answer.mails) await exchange(run, each, answer.email.header_message_id)
}

/** The mail as the API knows it, after it was processed if that does not take too long. */
async function arrive(run: Run, mail: DemoMail, answered: string | null): Promise<Json> {
  const { call } = run.api
  const query = { header_message_id: messageIdOf(mail) }
  let [found] = (await call('GET', '/v1/inbound_emails', { query })).data
  if (!found) {
    found = await call('POST', '/v1/inbound_emails', {
      query: { mailbox_id: run.mailboxId, mail_from: mail.from.address },
      headers: { 'content-type': 'message/rfc822' },
      body: bytesOf(mail, answered),
    })
    run.created++
  }
  for (const startedAt = performance.now(); performance.now() - startedAt < patienceMs; ) {
    if (found.status !== 'received') break
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    found = await call('GET', `/v1/inbound_emails/${found.id}`)
  }
  return found
}

/** The operator's message in a conversation, which is written unless there is one. */
async function sayOnce({ api, desk }: Run, id: string, { operator, body }: DemoAnswer): Promise<Json> {
  const path = `/v1/conversations/${id}/messages`
  for await (const message of itemsOf(api, path)) if (message.author_side === 'operator') return message
  return api.call('POST', path, {
    body: { author_side: 'operator', body },
    operator: desk.operators.get(operator)!,
    idempotencyKey: `demo-mail-${id}`,
  })
}

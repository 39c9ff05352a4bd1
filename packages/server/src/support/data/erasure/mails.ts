import type { Change } from '../../../platform/unit-of-work/change.ts'
import { emailSuppressions } from '../../catalogue/email-suppressions/entity.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import type { MessageEmail } from '../../desk/messages/email/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { type Erasure, emptyStreams, type Walk } from '../../integration/erasing/streams.ts'
import { deleteAutomaticTo, deleteOutgoing } from '../../mail/deliveries/queries.ts'
import { inboundEmails } from '../../mail/inbound-emails/entity.ts'
import { eraseEmails, eraseEmailsNaming } from '../../mail/inbound-emails/erasing.ts'
import { deleteContents, deleteSendersOf } from '../../mail/inbound-emails/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { refuseHeld } from '../../people/end-users/legal-hold.ts'
import { peopleOf } from './identity.ts'
import { countSenders, mailAddressesOf, nextMailsOf, nextUnassigned, suppressionsOf } from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/** The mails of one piece of work. */
const mailsAtOnce = 50

/**
 * Finds the mails of the person while its addresses are known: those that were ignored, have failed, or that a program
 * wrote name no sender until now. Then nothing refers to the addresses any more, suppressions included.
 */
export async function findMails(change: Change, state: ErasureState, ids: string[]): Promise<ErasureState> {
  const { db, tenantId } = change
  for (const person of await peopleOf(change, ids)) {
    refuseHeld(change, person)
    change.rows.guard(endUsers, person)
  }
  const known = await mailAddressesOf(db, tenantId, ids)
  const addresses = [...new Set([...known, ...known.map(canonicalAddress)])]
  const next = await nextUnassigned(db, tenantId, addresses, state.after, mailsAtOnce)
  for (const { id } of next) {
    const email = await change.rows.find(inboundEmails, id)
    if (email) change.rows.update(inboundEmails, email, { end_user_id: state.end_user_id }, null)
  }
  const last = next.at(-1)
  if (last) return { ...state, after: last.id }
  const suppressed = await suppressionsOf(db, tenantId, addresses)
  for (const { id } of suppressed) await eraseSuppression(change, id, state.end_user_id)
  change.effects.write(deleteSendersOf(tenantId, ids))
  change.effects.write(deleteAutomaticTo(tenantId, addresses))
  const email_senders = await countSenders(db, tenantId, ids)
  return nextStep(counting(state, { email_suppressions: suppressed.length, email_senders }))
}

async function eraseSuppression(change: Change, id: string, by: string): Promise<void> {
  const row = await change.rows.find(emailSuppressions, id)
  if (row) change.rows.remove(emailSuppressions, row, null)
  const erasure: Erasure = {
    by,
    about: async () => () => true,
    isMeant: ({ object }) => object === 'email_suppression',
    isSender: () => false,
  }
  let walk: Walk = { streams: [id], after: null }
  while (walk.streams.length > 0) walk = (await emptyStreams(change, walk, erasure)).walk
}

/** Erases the mails of the person that made no message; others went with their messages. */
export async function eraseMails(change: Change, state: ErasureState, ids: string[]): Promise<ErasureState> {
  const next = await nextMailsOf(change.db, change.tenantId, ids, mailsAtOnce)
  if (next.length === 0) return nextStep(state)
  for (const { id } of next) {
    const email = await change.rows.find(inboundEmails, id)
    if (email) await eraseEmails(change, [email], { by: state.end_user_id })
  }
  return counting(state, { inbound_emails: next.length })
}

/**
 * Erases what mails of others in a conversation of the person say of it: addresses, quoted words, deliveries, and the
 * mails as they came or went. Those that wait to be sent are not. The messages stay.
 * @returns the number of mails that came
 */
export async function eraseCopies(change: Change, rows: Message[], by: string): Promise<number> {
  let count = 0
  for (const row of rows) {
    if (row.email === null && row.delivery === null) continue
    const emptied = { email: row.email && withoutPeople(row.email), delivery: null }
    const erased = change.rows.update(messages, row, emptied, null)
    if (erased.version > row.version)
      change.rows.addEvent(messages, erased, 'message.updated', { ...row, ...emptied })
    change.effects.writeBatched(deleteContents, row.id)
    change.effects.writeBatched(deleteOutgoing, row.id)
    count += await eraseEmailsNaming(change, row.id, by)
  }
  return count
}

/** The mail of a message without people and their words. */
export const withoutPeople = (email: MessageEmail): MessageEmail => ({
  ...email,
  from: null,
  to: [],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: null,
  quoted: null,
})

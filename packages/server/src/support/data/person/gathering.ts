import { typeId } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { confirmedIds, conversationTable } from '../../desk/conversations/queries.ts'
import { conversationWire } from '../../desk/conversations/schema.ts'
import { fileIdsOf } from '../../desk/messages/attachments/attach.ts'
import { withRecipients } from '../../desk/messages/email/delivery.ts'
import { type EmailContents, findContents } from '../../desk/messages/email/queries.ts'
import { type Message, nextMessages } from '../../desk/messages/queries.ts'
import { messageWire } from '../../desk/messages/schema.ts'
import { fileTable } from '../../files/queries.ts'
import { fileWire } from '../../files/schema.ts'
import { type InboundEmail, mailsSentBy } from '../../mail/inbound-emails/queries.ts'
import { inboundEmailWire } from '../../mail/inbound-emails/schema.ts'
import { companyTable } from '../../people/companies/queries.ts'
import { companyWire } from '../../people/companies/schema.ts'
import { endUserTable, idsOfEndUser } from '../../people/end-users/queries.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { sessionTable } from '../../people/sessions/queries.ts'
import { sessionWire } from '../../people/sessions/schema.ts'
import { knownTo, nextConversations, nextSessions, type Part, unusedFiles } from '../erasure/queries.ts'

/** Rows of a family as the API shows them: JSON objects as texts. */
export type Gathered = { family: Family; rows: string[] }
export type Family =
  | 'end_users'
  | 'companies'
  | 'conversations'
  | 'messages'
  | 'files'
  | 'inbound_emails'
  | 'email_contents'
  | 'end_user_sessions'

const rowsAtOnce = 100
const conversationsAtOnce = 20
const mailsAtOnce = 50

/**
 * All data of a person, with those of all end users that were merged into it, in pages: the person and its companies;
 * its conversations and those in which it takes part; their messages that the person can see, and all that it wrote;
 * the files of these; the mails that it sent; its sessions. Internal notes of others are none of them. The pages are
 * not of one moment.
 */
export async function* gatherPerson(
  { db, env, now }: Pick<Ctx, 'db' | 'env' | 'now'>,
  endUserId: string,
): AsyncGenerator<Gathered> {
  const { tenantId } = env
  const ids = await idsOfEndUser(db, tenantId, endUserId)
  const people = await endUserTable.findMany(db, tenantId, ids)
  yield { family: 'end_users', rows: people.map((row) => endUserWire.json(row)) }
  const companyIds = [...new Set(people.flatMap(({ company_ids }) => company_ids))]
  const companies = companyIds.length === 0 ? [] : await companyTable.findMany(db, tenantId, companyIds)
  if (companies.length > 0) yield { family: 'companies', rows: companies.map((row) => companyWire.json(row)) }
  for (let after: string | null = null; ; ) {
    const parts: Part[] = await nextConversations(db, tenantId, ids, after, conversationsAtOnce)
    const last = parts.at(-1)
    if (!last) break
    after = last.id
    yield* gatherConversations(db, tenantId, now, ids, parts)
  }
  const unused = await unusedFiles(db, tenantId, ids, rowsAtOnce)
  if (unused.length > 0) yield await filesOf(db, tenantId, unused)
  yield* gatherMails(db, tenantId, ids)
  for (let after: string | null = null; ; ) {
    const sessionIds: string[] = await nextSessions(db, tenantId, ids, after, rowsAtOnce)
    const last = sessionIds.at(-1)
    if (last === undefined) break
    after = last
    const sessions = await sessionTable.findMany(db, tenantId, sessionIds)
    yield { family: 'end_user_sessions', rows: sessions.map((row) => sessionWire.json(row)) }
  }
}

async function* gatherConversations(
  db: Db,
  tenantId: string,
  now: Ctx['now'],
  ids: string[],
  parts: Part[],
): AsyncGenerator<Gathered> {
  const asked = parts.filter(({ sees }) => sees).map(({ id }) => id)
  const found = asked.length === 0 ? [] : await conversationTable.findMany(db, tenantId, asked)
  const own = new Set(parts.filter(({ is_own }) => is_own).map(({ id }) => id))
  // Who wrote himself into a conversation by mail does not see it.
  const rows = found.filter((row) => own.has(row.id) || confirmedIds(row).some((id) => ids.includes(id)))
  const seen = new Set(rows.map(({ id }) => id))
  if (rows.length > 0)
    yield { family: 'conversations', rows: rows.map((row) => conversationWire.json(row, now())) }
  for (const { id, is_own } of parts) {
    const part: Part = { id, is_own, sees: seen.has(id) }
    for (let sequence = 0; ; ) {
      const messages = await nextMessages(db, tenantId, part.id, sequence, rowsAtOnce, [
        knownTo(tenantId, ids, part),
      ])
      const last = messages.at(-1)
      if (!last) break
      sequence = last.sequence
      yield { family: 'messages', rows: messages.map((row) => messageWire.json(withoutHidden(row))) }
      const fileIds = [...new Set(messages.flatMap(fileIdsOf))]
      if (fileIds.length > 0) yield await filesOf(db, tenantId, fileIds)
    }
  }
}

/** A message without the hidden recipients of its mail. */
const withoutHidden = (row: Message): Message => ({
  ...row,
  email: row.email && { ...row.email, bcc: [] },
  delivery:
    row.delivery &&
    withRecipients(
      row.delivery,
      row.delivery.recipients.filter(({ kind }) => kind !== 'bcc'),
    ),
})

/** The mails that the person sent, with their texts. Those that operators forwarded have words of the team. */
async function* gatherMails(db: Db, tenantId: string, ids: string[]): AsyncGenerator<Gathered> {
  for (let after: string | null = null; ; ) {
    const mails: InboundEmail[] = await mailsSentBy(db, tenantId, ids, after, mailsAtOnce)
    const last = mails.at(-1)
    if (!last) return
    after = last.id
    yield { family: 'inbound_emails', rows: mails.map((row) => inboundEmailWire.json(row)) }
    for (const { message_id } of mails) {
      const contents = message_id === null ? null : await findContents(db, tenantId, message_id)
      if (contents) yield { family: 'email_contents', rows: [contentsOf(contents)] }
    }
  }
}

const contentsOf = ({ message_id, headers, text, html }: EmailContents): string =>
  JSON.stringify({ object: 'message_email', message_id: typeId('msg', message_id), headers, text, html })

const filesOf = async (db: Db, tenantId: string, ids: string[]): Promise<Gathered> => ({
  family: 'files',
  rows: (await fileTable.findMany(db, tenantId, ids)).map((row) => fileWire.json(row)),
})

import { NoSuchBytes } from '../../../platform/files/store.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { TookTooLong } from '../../../platform/kernel/threads.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import { type Mailbox, mailboxTable } from '../../catalogue/mailboxes/queries.ts'
import { newDirectory, removeDirectory } from '../../jobs/running/directories.ts'
import { actingFor } from '../acting.ts'
import { inboundEmails } from '../inbound-emails/entity.ts'
import { addressesOf, mailboxAt } from '../inbound-emails/mailbox-at.ts'
import { type InboundEmail, inboundEmailTable } from '../inbound-emails/queries.ts'
import { localRaw } from '../inbound-emails/raw.ts'
import type { Reason } from '../inbound-emails/schema.ts'
import { storeFiles } from './attaching.ts'
import { Ended } from './deciding.ts'
import type { Digest } from './digest.ts'
import type { EmailReader } from './reading-together.ts'
import { endWithout, writeEmail } from './writing.ts'

/**
 * Processes a mail that waits: reads it in a worker thread, stores its files, and writes what becomes of it in one
 * transaction. After a crash at any place it begins anew; files that no message uses are removed after a day.
 * @throws Awaited if it must wait for an earlier mail, and errors after which it can be tried again
 */
export async function processEmail(ctx: Ctx, readEmail: EmailReader, id: string): Promise<void> {
  const email = await inboundEmailTable.find(ctx.db, ctx.env.tenantId, id)
  if (email?.status !== 'received') return
  const directory = newDirectory()
  let hasFiles = true
  try {
    const digest = await read(ctx, readEmail, email, directory)
    hasFiles = typeof digest === 'string' || digest.files.length > 0 || email.raw_file_id !== null
    if (typeof digest === 'string') return await endAsFailed(ctx, id, digest)
    const mailbox = await mailboxOf(ctx, email, digest)
    if (!mailbox) return await endAsFailed(ctx, id, 'no_mailbox', digest)
    const files = await storeFiles(ctx, digest.files)
    await conclude(actingFor(ctx, mailbox.id), id, digest, async (change, waiting) => {
      const present = await change.rows.find(mailboxes, mailbox.id)
      if (!present || present.archived) throw new Ended('failed', 'no_mailbox')
      const addressed = change.rows.update(inboundEmails, waiting, { mailbox_id: present.id }, null)
      await writeEmail(change, present, addressed, { digest, ...files })
    })
  } finally {
    if (hasFiles) await removeDirectory(directory)
  }
}

/** Ends a mail that cannot be processed; nothing happens if it is processed. */
export const endAsFailed = (
  ctx: Ctx,
  id: string,
  reason: Reason,
  digest: Digest | null = null,
): Promise<void> =>
  conclude(ctx, id, digest, async () => {
    throw new Ended('failed', reason)
  })

/** Reads the mail. @returns its contents, or the reason why it cannot be read */
async function read(
  { db, env, services, ...ctx }: Ctx,
  readEmail: EmailReader,
  email: InboundEmail,
  directory: string,
): Promise<Digest | Reason> {
  try {
    const source = await localRaw({ db, env, services, ...ctx }, email, directory)
    const digest = await readEmail(env.tenantId, { source, directory })
    return 'refused' in digest ? digest.refused : digest
  } catch (error) {
    if (error instanceof TookTooLong) return 'too_complex'
    if (error instanceof NoSuchBytes) return 'internal' // it is kept for longer than it waits
    throw error
  }
}

/** The mailbox of the mail; that to which it is addressed, if it has none or a former one. */
async function mailboxOf({ db, env }: Ctx, email: InboundEmail, digest: Digest): Promise<Mailbox | null> {
  const named = email.mailbox_id && (await mailboxTable.find(db, env.tenantId, email.mailbox_id))
  if (named && !named.archived) return named
  return mailboxAt(db, env.tenantId, addressesOf(email.rcpt_to, digest))
}

type Work = (change: Change, email: InboundEmail) => Promise<void>

/** Writes what becomes of a mail: by `work`, or nothing but the reason if it throws Ended. */
async function conclude(ctx: Ctx, id: string, digest: Digest | null, work: Work): Promise<void> {
  const concluding = (inner: Work) =>
    transact(ctx, async (change) => {
      const email = await change.rows.load(inboundEmails, id)
      if (email.status === 'received') await inner(change, email)
      else change.discard()
    })
  try {
    await concluding(work)
  } catch (error) {
    const ended = endedBy(error)
    if (!ended) throw error
    await concluding(async (change, email) => endWithout(change, email, digest, ended))
  }
}

/** A rule of the API can end a mail as well: nobody writes for a blocked end user. */
function endedBy(error: unknown): Ended | null {
  if (error instanceof Ended) return error
  return error instanceof ApiError && error.code === 'end_user_blocked'
    ? new Ended('ignored', 'blocked')
    : null
}

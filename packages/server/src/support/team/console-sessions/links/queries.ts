import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/** A one-time link to the console. Without an address it is that of the first administrator. */
export type ConsoleLink = {
  workspace_id: string
  email: string | null
  expires_at: Instant
  used_at: Instant | null
}

/** Also deletes links that ended before `now`: nobody asks for them any more. */
export const insertLink = async (
  db: Db,
  link: { tokenHash: Buffer; workspaceId: string; email: string | null; expiresAt: Instant },
  ended: Instant,
): Promise<void> => {
  await db.write(sql`delete from console_links where expires_at < ${ended}`)
  await db.write(sql`insert into console_links (token_hash, workspace_id, email, expires_at)
    values (${link.tokenHash}, ${link.workspaceId}, ${link.email}, ${link.expiresAt})`)
}

export const findLink = (db: Db, tokenHash: Buffer): Promise<ConsoleLink | null> =>
  db.maybe(
    sql`select workspace_id, email, expires_at, used_at from console_links where token_hash = ${tokenHash}`,
  )

/** Uses up a link. Null if it was used before or has expired: of two at the same time, one gets it. */
export const useLink = (
  db: Db,
  tokenHash: Buffer,
  now: Instant,
): Promise<Pick<ConsoleLink, 'workspace_id' | 'email'> | null> =>
  db.maybe(sql`update console_links set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now} returning workspace_id, email`)

import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'

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

/**
 * Uses up a link, and all other links of the first administrator of the workspace with one of them.
 * @returns false if it was used before: of two at the same time, one gets it
 */
export async function useLink(db: Db, tokenHash: Buffer, link: ConsoleLink, now: Instant): Promise<boolean> {
  const used = await db.write<{ token_hash: Buffer }>(sql`update console_links set used_at = ${now}
    where ${linkOrFirst(tokenHash, link)} and used_at is null and expires_at > ${now} returning token_hash`)
  return used.some(({ token_hash }) => tokenHash.equals(token_hash))
}

/** Makes the links that a sign-in has used up usable again, because it failed. */
export const freeLink = async (db: Db, tokenHash: Buffer, link: ConsoleLink, now: Instant): Promise<void> => {
  await db.write(sql`update console_links set used_at = null
    where ${linkOrFirst(tokenHash, link)} and used_at = ${now}`)
}

const linkOrFirst = (tokenHash: Buffer, { workspace_id, email }: ConsoleLink): Sql =>
  email === null
    ? sql`(token_hash = ${tokenHash} or (workspace_id = ${workspace_id} and email is null))`
    : sql`token_hash = ${tokenHash}`

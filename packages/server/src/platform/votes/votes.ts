import type { Db } from '../postgres/database.ts'
import { identifier, type Sql, sql } from '../postgres/sql.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../unit-of-work/entity.ts'

/*
 * Votes on articles and FAQs. One statement writes a vote and the counters, guarded by the vote that the difference
 * was computed from. The counters are exact for any number of concurrent votes.
 */

export type Vote = { external_user_id: string; helpful: boolean }

export type VoteCounts = { helpful_count: number; unhelpful_count: number }

const count = (table: string, column: 'helpful' | 'unhelpful') => (tenantId: string) =>
  sql`coalesce((select counted.${identifier(column)} from vote_counts counted
    where counted.tenant_id = ${tenantId} and counted.subject_id = ${identifier(table)}.id), 0)`

/** The counters as `joined` columns of a table. */
export const votesFor = (table: string) => ({
  helpful_count: count(table, 'helpful'),
  unhelpful_count: count(table, 'unhelpful'),
})

/**
 * Sets or changes the vote of an end user. It writes no version and no event.
 * @returns the row with its new counters
 */
export async function castVote<Row extends ResourceRow & VoteCounts>(
  change: Change,
  entity: Entity<Row>,
  id: string,
  { external_user_id: userId, helpful }: Vote,
): Promise<Row> {
  const { db, tenantId } = change
  const row = await change.rows.peek(entity, id)
  change.rows.guard(entity, row) // no vote on a row that is deleted meanwhile
  const former = await findVote(db, tenantId, row.id, userId)
  if (former === helpful) return row
  const changed = former === null ? 0 : -1
  const [yes, no] = helpful ? [1, changed] : [changed, 1]
  if (former === null) change.effects.write(insertVote(tenantId, row.id, userId, helpful))
  else change.effects.writeExpecting(turnVote, { subject_id: row.id, external_user_id: userId, helpful })
  change.effects.write(addToCounts(tenantId, row.id, yes, no))
  return { ...row, helpful_count: row.helpful_count + yes, unhelpful_count: row.unhelpful_count + no }
}

/** Deletes the votes on a deleted object. */
export function forgetVotes(change: Change, subjectId: string): void {
  change.effects.write(
    sql`delete from votes where tenant_id = ${change.tenantId} and subject_id = ${subjectId}`,
  )
  change.effects.write(
    sql`delete from vote_counts where tenant_id = ${change.tenantId} and subject_id = ${subjectId}`,
  )
}

async function findVote(
  db: Db,
  tenantId: string,
  subjectId: string,
  userId: string,
): Promise<boolean | null> {
  const row = await db.maybe<{ helpful: boolean }>(sql`select helpful from votes
    where tenant_id = ${tenantId} and subject_id = ${subjectId} and external_user_id = ${userId}`)
  return row?.helpful ?? null
}

const insertVote = (tenantId: string, subjectId: string, userId: string, helpful: boolean): Sql =>
  sql`insert into votes (tenant_id, subject_id, external_user_id, helpful)
    values (${tenantId}, ${subjectId}, ${userId}, ${helpful})`

/** Returns one row if the previous vote was the opposite. */
const turnVote = (tenantId: string, [vote]: (Vote & { subject_id: string })[]): Sql =>
  sql`update votes set helpful = ${vote!.helpful} where tenant_id = ${tenantId} and subject_id = ${vote!.subject_id}
    and external_user_id = ${vote!.external_user_id} and helpful <> ${vote!.helpful} returning 1`

const addToCounts = (tenantId: string, subjectId: string, helpful: number, unhelpful: number): Sql =>
  sql`insert into vote_counts (tenant_id, subject_id, helpful, unhelpful)
    values (${tenantId}, ${subjectId}, ${helpful}, ${unhelpful})
    on conflict (tenant_id, subject_id) do update set helpful = vote_counts.helpful + excluded.helpful,
      unhelpful = vote_counts.unhelpful + excluded.unhelpful`

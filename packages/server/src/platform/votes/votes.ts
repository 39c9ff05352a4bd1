import type { Db } from '../postgres/database.ts'
import { identifier, type Sql, sql } from '../postgres/sql.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../unit-of-work/entity.ts'

/*
 * Votes on articles and FAQs. One statement writes a vote and the counters, guarded by the votes that the difference
 * was computed from. The counters are exact for any number of concurrent votes.
 */

/** The id that a vote is stored with, and others that earlier votes of the same person may be stored with. */
export type Voter = { id: string; formerIds: string[] }

type Vote = { external_user_id: string; helpful: boolean }

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
 * Sets or changes the vote of a person. It writes no version and no event.
 * @returns the row with its new counters
 */
export async function castVote<Row extends ResourceRow & VoteCounts>(
  change: Change,
  entity: Entity<Row>,
  id: string,
  voter: Voter,
  helpful: boolean,
): Promise<Row> {
  const { db, tenantId } = change
  const row = await change.rows.peek(entity, id)
  change.rows.guard(entity, row) // no vote on a row that is deleted meanwhile
  const votes = await findVotes(db, tenantId, row.id, [voter.id, ...voter.formerIds])
  const own = votes.find(({ external_user_id }) => external_user_id === voter.id)
  const kept = own?.helpful === helpful ? own : null
  const replaced = votes.filter((vote) => vote !== kept)
  if (kept && replaced.length === 0) return row
  const vote = { external_user_id: voter.id, helpful }
  if (!own) change.effects.write(insertVote(tenantId, row.id, vote))
  else if (!kept) change.effects.writeExpecting(turnVote, { subject_id: row.id, ...vote })
  for (const other of replaced.filter((each) => each !== own))
    change.effects.writeExpecting(deleteVotes, { subject_id: row.id, ...other })
  const difference = (value: boolean) =>
    Number(!kept && helpful === value) - replaced.filter((each) => each.helpful === value).length
  const [yes, no] = [difference(true), difference(false)]
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

const findVotes = (db: Db, tenantId: string, subjectId: string, voterIds: string[]): Promise<Vote[]> =>
  db.rows(sql`select external_user_id, helpful from votes
    where tenant_id = ${tenantId} and subject_id = ${subjectId} and external_user_id = any(${voterIds}::text[])`)

const insertVote = (tenantId: string, subjectId: string, { external_user_id, helpful }: Vote): Sql =>
  sql`insert into votes (tenant_id, subject_id, external_user_id, helpful)
    values (${tenantId}, ${subjectId}, ${external_user_id}, ${helpful})`

/** Returns one row for each vote that is unchanged. */
const deleteVotes = (tenantId: string, votes: (Vote & { subject_id: string })[]): Sql =>
  sql`delete from votes using unnest(${votes.map((vote) => vote.subject_id)}::uuid[],
      ${votes.map((vote) => vote.external_user_id)}::text[], ${votes.map((vote) => vote.helpful)}::boolean[])
      as gone (subject_id, external_user_id, helpful)
    where votes.tenant_id = ${tenantId} and votes.subject_id = gone.subject_id
      and votes.external_user_id = gone.external_user_id and votes.helpful = gone.helpful returning 1`

/** Returns one row if the previous vote was the opposite. */
const turnVote = (tenantId: string, [vote]: (Vote & { subject_id: string })[]): Sql =>
  sql`update votes set helpful = ${vote!.helpful} where tenant_id = ${tenantId} and subject_id = ${vote!.subject_id}
    and external_user_id = ${vote!.external_user_id} and helpful <> ${vote!.helpful} returning 1`

const addToCounts = (tenantId: string, subjectId: string, helpful: number, unhelpful: number): Sql =>
  sql`insert into vote_counts (tenant_id, subject_id, helpful, unhelpful)
    values (${tenantId}, ${subjectId}, ${helpful}, ${unhelpful})
    on conflict (tenant_id, subject_id) do update set helpful = vote_counts.helpful + excluded.helpful,
      unhelpful = vote_counts.unhelpful + excluded.unhelpful`

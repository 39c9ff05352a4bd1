import type { Instant } from '../../../../platform/kernel/clock.ts'
import { conditionsOf, dividedInto, resolved } from '../../../../platform/lists/checks.ts'
import { candidatesOf, conditionOf } from '../../../../platform/lists/condition.ts'
import type { At } from '../../../../platform/lists/field.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { and, identifier, join, sql } from '../../../../platform/postgres/sql.ts'
import { withPossibleStatuses } from './orders.ts'

/** The members of a conversation by which conversations are counted. */
export const groupings = ['assignee_id', 'department_id'] as const
export type Grouping = (typeof groupings)[number]

/** The conversations with one value, null for those without any. */
export type Group = { id: string | null; count: number; waiting_since: Instant | null }

/** Counts the conversations that meet a filter by what they refer to; null if that takes longer than `withinMs`. */
export async function groupsOf(
  db: Db,
  at: At,
  filter: Filter,
  by: Grouping,
  withinMs: number,
): Promise<Group[] | null> {
  if (withinMs <= 0) return null
  const { checks, others } = dividedInto(filter)
  const known = await resolved(db, at.tenantId, withPossibleStatuses(checks))
  if (known === null) return []
  const [among] = candidatesOf({ all: others }, at)
  const conditions = [
    sql`tenant_id = ${at.tenantId}`,
    ...conditionsOf(known, at),
    ...(among ? [sql`id in ${among}`] : []),
    ...others.map((each) => conditionOf(each, at)),
  ]
  return db.rowsWithin<Group>(
    sql`select ${identifier(by)} as id, count(*) as count, min(waiting_since) as waiting_since
      from conversations where ${join(conditions, and)} group by 1 order by 1`,
    withinMs,
  )
}

import type { Db } from '../../../../platform/postgres/database.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { type Facts, generationIn, rememberFacts } from '../../../../platform/unit-of-work/memory.ts'
import { counter } from '../../../../platform/unit-of-work/plan.ts'
import type { ClaimOrder } from '../../../vocabulary/conversations.ts'

/** The settings of an environment by which operators get conversations. */
type AssignmentRules = {
  /** The order of `claim_next` without a department. */
  claimOrder: ClaimOrder
  /** Does a reply assign a conversation without a department? */
  replyAssigns: boolean
  /** The departments in which a reply assigns. */
  replyAssignsIn: string[]
}

const generations = sql`assignment_rule_generations`

async function findAssignmentRules(db: Db, tenantId: string): Promise<Facts<AssignmentRules>> {
  const found = await db.maybe<AssignmentRules & { generation: number }>(
    sql`select ${generationIn(generations, tenantId)} as generation, e.claim_order as "claimOrder",
      e.reply_assigns as "replyAssigns",
      array(select id from departments where tenant_id = ${tenantId} and departments.reply_assigns) as "replyAssignsIn"
    from environments e where e.id = ${tenantId}`,
  )
  const { generation, ...value } = found!
  return { generation, value }
}

/** The rules for a write that is decided upon them. */
export const assignmentRules = rememberFacts(generations, findAssignmentRules)

export const raiseGeneration = counter<null>(
  { table: 'assignment_rule_generations' },
  (tenantId) => sql`insert into assignment_rule_generations (tenant_id, generation) values (${tenantId}, 1)
    on conflict (tenant_id) do update set generation = assignment_rule_generations.generation + 1 returning 1`,
)

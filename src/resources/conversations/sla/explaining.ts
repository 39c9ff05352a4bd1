import type { Ctx } from '../../../context.ts'
import { toEpochMs } from '../../../lib/clock.ts'
import type { Moment } from '../../../lib/sla/clocks.ts'
import { explain } from '../../../lib/sla/explanation.ts'
import type { Conversation } from '../queries.ts'
import { type KeptMoment, momentsOf } from './queries.ts'
import type { ExplainedSla } from './schema.ts'
import { agreementUnder } from './situation.ts'

/** The clocks of a conversation, worked out again from its beginning, and when they counted. */
export async function explainSla(ctx: Ctx, conversation: Conversation): Promise<ExplainedSla> {
  const { sla_config_id, sla_config_version } = conversation
  const kept = await momentsOf(ctx.db, ctx.env.tenantId, conversation.id)
  const [first, ...rest] = kept.map(asMoment)
  if (!first) return { sla_config_id: null, sla_config_version: null, explanation: null }
  const openedByEndUser = conversation.initiated_by_side === 'end_user'
  const explanation = explain([first, ...rest], openedByEndUser, toEpochMs(ctx.now()))
  return { sla_config_id, sla_config_version, explanation }
}

const asMoment = ({ at, unanswered_since: since, ...kept }: KeptMoment): Moment => ({
  at: toEpochMs(at),
  status: kept.status,
  paused: kept.paused,
  answered: kept.answered,
  unanswered_since: since === null ? null : toEpochMs(since),
  agreement:
    kept.terms && agreementUnder(kept.sla_config_id!, kept.sla_config_version!, kept.priority, kept.terms),
})

import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import type { Moment } from '../../../sla/clocks/clocks.ts'
import { explain } from '../../../sla/clocks/explanation.ts'
import type { Terms } from '../../../sla/clocks/terms.ts'
import type { Conversation } from '../queries.ts'
import type { ExplainedSla } from '../sla-schema.ts'
import { agreementUnder } from '../sla-situation.ts'
import { type KeptMoment, momentsOf, termsOfMoments } from './queries.ts'

/** The clocks of a conversation, recomputed from its beginning, with their spans. */
export async function explainSla(ctx: Ctx, conversation: Conversation): Promise<ExplainedSla> {
  const { id, sla_config_id, sla_config_version } = conversation
  const { tenantId } = ctx.env
  const [kept, versions] = await Promise.all([
    momentsOf(ctx.db, tenantId, id),
    termsOfMoments(ctx.db, tenantId, id),
  ])
  const terms = new Map(versions.map((each) => [`${each.sla_config_id}/${each.version}`, each.terms]))
  const [first, ...rest] = kept.map((moment) => asMoment(moment, terms))
  if (!first) return { sla_config_id: null, sla_config_version: null, explanation: null }
  const openedByEndUser = conversation.initiated_by_side === 'end_user'
  const explanation = explain([first, ...rest], openedByEndUser, toUnixMs(ctx.now()))
  return { sla_config_id, sla_config_version, explanation }
}

function asMoment(kept: KeptMoment, terms: Map<string, Terms>): Moment {
  const { sla_config_id: id, sla_config_version: version, unanswered_since: since } = kept
  const under = terms.get(`${id}/${version}`)
  return {
    at: toUnixMs(kept.at),
    status: kept.status,
    paused: kept.paused,
    answered: kept.answered,
    unanswered_since: since === null ? null : toUnixMs(since),
    agreement: under ? agreementUnder(kept.priority, under) : null,
  }
}

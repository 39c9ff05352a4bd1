import { on } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { pastMoments } from '../change-facts.ts'
import { conversations } from '../entity.ts'
import { jobs } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
import { isSameSituation, momentOf, nextAlarmAt } from '../sla-situation.ts'
import { insertMoments } from './queries.ts'

/** Stores the states that clocks depend on, for later explanations, and schedules warnings and breaches. */
function followClocks(change: Change, before: Conversation | null, after: Conversation | null): void {
  if (!after) change.jobs.cancel(jobs.slaAlarm, before!.id)
  if (!after?.sla) return
  for (const moment of pastMoments.read(change, after.id) ?? [])
    change.effects.writeBatched(insertMoments, { conversation: after, moment })
  if (!before?.sla || !isSameSituation(before, after)) {
    const moment = momentOf(after, after.sla.at)
    change.effects.writeBatched(insertMoments, { conversation: after, moment })
  }
  const next = nextAlarmAt(after)
  if (next === (before && nextAlarmAt(before))) return
  if (next) change.jobs.schedule(jobs.slaAlarm, after.id, next)
  else change.jobs.cancel(jobs.slaAlarm, after.id)
}

export const slaReactions = [on(conversations, followClocks)]

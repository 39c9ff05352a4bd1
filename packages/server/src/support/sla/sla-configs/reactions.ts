import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { tags } from '../../catalogue/tags/entity.ts'
import { slaConfigs } from './entity.ts'
import { secondLookSeconds, slaJobs } from './lifecycle.ts'
import {
  activeSlaConfigs,
  deleteTagUses,
  insertTagUses,
  insertTerms,
  raiseGeneration,
  type SlaConfig,
  termsOf,
} from './queries.ts'

function raise(change: Change): void {
  change.effects.writeBatched(raiseGeneration, null)
  activeSlaConfigs.forgetAfter(change)
}

function follow(change: Change, before: SlaConfig | null, after: SlaConfig | null): void {
  raise(change)
  recordTags(change, before, after)
  if (!after || (before && haveSameTerms(before, after))) return
  change.effects.writeBatched(insertTerms, after)
  if (before) {
    change.jobs.schedule(slaJobs.follow, after.id, change.now)
    change.jobs.schedule(slaJobs.secondLook, after.id, plusSeconds(change.now, secondLookSeconds))
  }
}

const haveSameTerms = (one: SlaConfig, other: SlaConfig): boolean =>
  JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other))

/** An alias is stored as its tag, as in the config itself. */
function recordTags(change: Change, before: SlaConfig | null, after: SlaConfig | null): void {
  const sla_config_id = (after ?? before)!.id
  const former = new Set(before?.tags.map(({ id, stored_id }) => stored_id ?? id))
  const present = new Set(after?.tags.map(({ id }) => id))
  for (const tag_id of former.difference(present))
    change.effects.writeBatched(deleteTagUses, { tag_id, sla_config_id })
  for (const tag_id of present.difference(former))
    change.effects.writeBatched(insertTagUses, { tag_id, sla_config_id })
}

/** After a merge, conditions with the tag apply to the other tag. */
const onTag = on(tags, (change, before, after) => {
  if (before && after && before.merged_into_id !== after.merged_into_id) raise(change)
})

export const slaConfigReactions = [on(slaConfigs, follow), onTag]

import type { Change, Entity } from '../../db/change.ts'
import { plusSeconds } from '../../lib/clock.ts'
import { secondLookSeconds, slaDuties } from './lifecycle.ts'
import {
  deleteTagUses,
  insertTagUses,
  insertTerms,
  raiseGeneration,
  type SlaConfig,
  slaConfigTable,
  termsOf,
} from './queries.ts'
import { slaConfigWire } from './schema.ts'

export const slaConfigs: Entity<SlaConfig> = {
  type: 'sla_config',
  table: slaConfigTable,
  wire: slaConfigWire,
  consequences(change, before, after) {
    change.alsoEach(raiseGeneration, null)
    recordTags(change, before, after)
    if (!after || (before && haveSameTerms(before, after))) return
    change.alsoEach(insertTerms, after)
    if (before) {
      change.schedule(slaDuties.follow, after.id, change.now)
      change.schedule(slaDuties.secondLook, after.id, plusSeconds(change.now, secondLookSeconds))
    }
  },
}

const haveSameTerms = (one: SlaConfig, other: SlaConfig): boolean =>
  JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other))

/** An alias is written as its tag, as in the config itself. */
function recordTags(change: Change, before: SlaConfig | null, after: SlaConfig | null): void {
  const sla_config_id = (after ?? before)!.id
  const former = new Set(before?.tags.map(({ id, stored_id }) => stored_id ?? id))
  const present = new Set(after?.tags.map(({ id }) => id))
  for (const tag_id of former.difference(present)) change.alsoEach(deleteTagUses, { tag_id, sla_config_id })
  for (const tag_id of present.difference(former)) change.alsoEach(insertTagUses, { tag_id, sla_config_id })
}

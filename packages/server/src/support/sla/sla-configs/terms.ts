import type { References } from '../../../platform/unit-of-work/references.ts'
import type { TargetRow, Terms } from '../clocks/terms.ts'
import { patchedSchedule } from './schedule.ts'
import type { SlaConfigPatch } from './schema.ts'

/** The default terms of a new config. */
export const noTerms: Terms = { targets: [], schedule: null, pauses_on_pending: true, warn_at_percent: 80 }

/** The terms of a config after a patch; `references` receives their errors. */
export const patchedTerms = (references: References, before: Terms, patch: SlaConfigPatch): Terms => ({
  targets: patch.targets ? patch.targets.map(completed) : before.targets,
  schedule: patchedSchedule(before.schedule, patch.schedule, (fault) => references.fault(fault)),
  pauses_on_pending: patch.pauses_on_pending ?? before.pauses_on_pending,
  warn_at_percent: patch.warn_at_percent === undefined ? before.warn_at_percent : patch.warn_at_percent,
})

const completed = ({
  priority = null,
  first_response_seconds = null,
  next_response_seconds = null,
  resolution_seconds = null,
}: Partial<TargetRow>): TargetRow => ({
  priority,
  first_response_seconds,
  next_response_seconds,
  resolution_seconds,
})

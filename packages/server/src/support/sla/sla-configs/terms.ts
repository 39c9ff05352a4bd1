import type { References } from '../../../platform/unit-of-work/references.ts'
import type { TargetRow, Terms } from '../clocks/terms.ts'
import { patchedSchedule } from './schedule.ts'
import type { SlaConfigPatch } from './schema.ts'

/** The default terms of a new config. */
export const noTerms: Terms = { targets: [], schedule: null, pauses_on_pending: true, warn_at_percent: 80 }

/** The terms of a config after a patch; `references` receives their errors. */
export const patchedTerms = (references: References, before: Terms, patch: SlaConfigPatch): Terms => ({
  targets: patch.targets ? completedTargets(references, patch.targets) : before.targets,
  schedule: patchedSchedule(before.schedule, patch.schedule, (fault) => references.fault(fault)),
  pauses_on_pending: patch.pauses_on_pending ?? before.pauses_on_pending,
  warn_at_percent: patch.warn_at_percent === undefined ? before.warn_at_percent : patch.warn_at_percent,
})

function completedTargets(references: References, targets: Partial<TargetRow>[]): TargetRow[] {
  const priorities = new Set<string | null>()
  const times = ['first_response_seconds', 'next_response_seconds', 'resolution_seconds'] as const
  if (!targets.some((target) => times.some((name) => target[name] != null))) {
    // Without one it would still be chosen, before configs that promise something.
    const detail = 'must have a target with at least one time'
    references.fault({ pointer: '/targets', code: 'required', detail })
  }
  return targets.map(
    (
      {
        priority = null,
        first_response_seconds = null,
        next_response_seconds = null,
        resolution_seconds = null,
      },
      i,
    ) => {
      if (priorities.has(priority)) {
        const detail = 'must not repeat the priority of another target'
        references.fault({ pointer: `/targets/${i}/priority`, code: 'not_allowed', detail })
      }
      priorities.add(priority)
      return { priority, first_response_seconds, next_response_seconds, resolution_seconds }
    },
  )
}

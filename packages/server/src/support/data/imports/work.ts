import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { Draft } from '../../../platform/unit-of-work/draft.ts'
import type { WritePlan } from '../../../platform/unit-of-work/plan.ts'
import type { JobResult } from '../../jobs/queries.ts'
import type { ImportParams, LineType } from './params.ts'
import type { Resolver } from './resolver.ts'

/** The facts about an import that all its parts need. */
export type Work = {
  /** A context of the import's starter. */
  ctx: Ctx
  params: ImportParams
  isDry: boolean
  resolver: Resolver
  /** In a dry run, the external ids of objects that the file would make. */
  declared: Map<LineType, Set<string>>
}

export type LineResult = Omit<JobResult, 'job_id'>

/** The writes and results of some lines. */
export type LinesDone = {
  changes: { draft: Draft; plan: WritePlan }[]
  results: LineResult[]
  failed: number
}

export const succeeded = (
  place: number,
  object_id: string | null,
  errors: LineResult['errors'] = null,
): LineResult => ({ place, status: 'succeeded', object_id, errors, changes: null })

export const failedLine = (
  place: number,
  errors: LineResult['errors'],
  object_id: string | null = null,
): LineResult => ({ place, status: 'failed', object_id, errors, changes: null })

export const failuresIn = (results: LineResult[]): number =>
  results.filter(({ status }) => status === 'failed').length

/**
 * Marks the events of a plan as those of an import: webhook endpoints receive them only if they name their types. The
 * audit log shows them as any others.
 */
export function markImported(plan: WritePlan): WritePlan {
  for (const event of plan.events)
    event.audited = `imported ${event.audited === null ? '' : event.audited.slice(event.audited.indexOf(' ') + 1)}`
  return plan
}

import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { conversationFilter } from '../../desk/conversations/finding/body-filter.ts'
import { createJob } from '../../jobs/actions.ts'
import type { Job } from '../../jobs/queries.ts'
import { requireLead } from '../refusing.ts'
import { families, familyNames } from './families.ts'
import type { ExportParams, ExportState } from './params.ts'
import type { NewExport } from './schema.ts'

/** Starts a job that exports the objects of some families. */
export async function startExport(change: Change, input: NewExport): Promise<Job> {
  await requireLead(change)
  const asked = new Set(input.objects ?? familyNames)
  const objects = familyNames.filter((name) => asked.has(name))
  requireScopes(change.ctx.principal.allows, ...objects.map((name) => families[name].scope), 'events:read')
  if (input.filter !== undefined) {
    const references = new References(change)
    await conversationFilter(change.ctx, input.filter, references, '/filter')
    references.check()
  }
  const params: ExportParams = {
    objects,
    filter: input.filter ?? null,
    format: input.format ?? 'ndjson',
    compression: input.compression ?? 'gzip',
  }
  const state: ExportState = { hasBegun: false, restarts: 0 }
  return createJob(change, { type: 'export', params, state })
}

import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { requireLivingIssuer } from '../../admin/api-keys/issuer.ts'
import { files } from '../../files/entity.ts'
import type { FileRow } from '../../files/queries.ts'
import { createJob } from '../../jobs/actions.ts'
import type { Job } from '../../jobs/queries.ts'
import { starterOf } from '../../jobs/starter.ts'
import { requireLead } from '../refusing.ts'
import { fromTheStart, type ImportParams } from './params.ts'
import type { NewImport } from './schema.ts'

/** Starts a job that imports the lines of a file. The file is then its own, until it ends. */
export async function startImport(
  change: Change,
  { file_id, source, on_conflict = 'skip', dry_run = false }: NewImport,
): Promise<Job> {
  await requireLead(change)
  // What the starter may do now, the job may do until it ends.
  await requireLivingIssuer(change, starterOf(change).scopes)
  const references = new References(change)
  const file = await references.to(files, '/file_id', file_id)
  const detail = file && whyNot(file)
  if (file?.required_scopes) references.fault(ofAnotherJob)
  else if (detail) references.fault({ pointer: '/file_id', code: 'not_allowed', detail })
  references.check()
  change.rows.update(files, file!, { use_count: 1 }, null)
  const params: ImportParams = { file_id, source, on_conflict }
  return createJob(change, { type: 'import', params, dry_run, state: fromTheStart })
}

/** The file of an export is as unknown as one that does not exist. */
const ofAnotherJob = {
  pointer: '/file_id',
  code: 'not_found',
  detail: 'must be the id of an existing file',
} as const

function whyNot({ status, use_count, in_knowledge_base }: FileRow): string | null {
  if (status !== 'ready') return `must be ready, and is ${status}`
  return use_count > 0 || in_knowledge_base ? 'must not be in use' : null
}

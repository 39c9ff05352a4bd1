import { uuidOf } from '../../../platform/kernel/ids.ts'
import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { files } from '../../files/entity.ts'
import { release } from '../../files/using.ts'
import { jobs } from '../../jobs/entity.ts'
import type { Job } from '../../jobs/queries.ts'
import type { ImportParams } from './params.ts'

/** The file of an import is deleted when the job has ended, however it ended. */
async function deleteSource(change: Change, before: Job | null, after: Job | null): Promise<void> {
  if (before?.type !== 'import' || before.ended_at !== null || after?.ended_at == null) return
  const file = await change.rows.find(files, uuidOf('file', (before.params as ImportParams).file_id)!)
  if (file) release(change, file)
}

export const onJob = on(jobs, deleteSource)

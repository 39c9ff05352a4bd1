import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { files } from '../../files/entity.ts'
import { deleteFile } from '../../files/removal.ts'
import type { Job } from '../../jobs/queries.ts'

/** Deletes the files that a job has made. @returns their number */
export async function deleteParts(change: Change, { result }: Pick<Job, 'result'>): Promise<number> {
  const parts = (result?.parts as { file_id: string }[] | undefined) ?? []
  let deleted = 0
  for (const { file_id } of parts) {
    const file = await change.rows.find(files, uuidOf('file', file_id)!)
    if (!file || file.use_count > 0) continue
    deleteFile(change, file)
    deleted++
  }
  return deleted
}

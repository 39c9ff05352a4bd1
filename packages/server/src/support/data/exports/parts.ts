import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { files } from '../../files/entity.ts'
import { deleteFile } from '../../files/removal.ts'
import type { Job } from '../../jobs/queries.ts'

/** Deletes the files that a job has made. @returns their number */
export async function deleteParts(change: Change, { result }: Pick<Job, 'result'>): Promise<number> {
  const { parts = [], file_id } = (result ?? {}) as { parts?: { file_id: string }[]; file_id?: string }
  const ids = [...parts.map((part) => part.file_id), ...(file_id === undefined ? [] : [file_id])]
  let deleted = 0
  for (const id of ids) {
    const file = await change.rows.find(files, uuidOf('file', id)!)
    if (!file || file.use_count > 0) continue
    deleteFile(change, file)
    deleted++
  }
  return deleted
}

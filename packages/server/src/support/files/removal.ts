import { type Instant, toInstant } from '../../platform/kernel/clock.ts'
import type { Job } from '../../platform/resource/resource.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import { files } from './entity.ts'
import type { FileRow } from './queries.ts'
import { deleteScans, tidySoon } from './tasks/queries.ts'

/** A file that nothing uses is deleted after this time. */
export const unusedForMs = 24 * 3_600_000

/**
 * An upload can begin an hour after its file was created, and last an hour. After this time no more bytes arrive.
 */
const quietAfterMs = 125 * 60_000

/** The real time after which no more bytes of a file arrive. */
export const noBytesAfter = (): Instant => toInstant(Date.now() + quietAfterMs)

const job = 'delete_unused_file'

export const scheduleRemoval = (change: Change, fileId: string, at: Instant): void =>
  change.jobs.schedule(job, fileId, at)

/** Deletes a file that nothing uses. */
export const deleteUnused: Job = {
  name: job,
  subjects: files,
  async perform(change, id) {
    const file = await change.rows.find(files, id)
    if (file?.use_count === 0) deleteFile(change, file)
  },
}

/** Deletes a file at once for everybody; its bytes are removed right after the commit, and until that succeeds. */
export function deleteFile(change: Change, file: FileRow): void {
  change.rows.remove(files, file)
  tidy(change, file)
  change.effects.writeBatched(deleteScans, file.id)
}

/** Removes the bytes that the row of the file does not name, or all if the row is gone. */
export function tidy(change: Change, { id, copy }: FileRow): void {
  const now = toInstant(Date.now())
  change.effects.writeBatched(tidySoon, {
    file_id: id,
    copies: copy ?? 0, // the task that knew the number may have ended
    due_at: now,
    final_at: noBytesAfter(),
  })
}

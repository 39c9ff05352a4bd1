import { toInstant, toUnixMs } from '../../platform/kernel/clock.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import { files } from './entity.ts'
import { deleteMessageFiles, type FileRow, insertMessageFiles } from './queries.ts'
import { deleteFile, scheduleRemoval, unusedForMs } from './removal.ts'

/*
 * A file belongs to the first conversation whose message uses it, or to the knowledge base. Each use is counted in the
 * row of the file: two changes that use or release it at the same time conflict, and the second runs again.
 */

/** Lets a message, sent or scheduled, use a file. The caller has checked that it may. */
export function useInMessage(
  change: Change,
  file: FileRow,
  message: { id: string; conversation_id: string },
): void {
  change.effects.writeBatched(insertMessageFiles, { message_id: message.id, file_id: file.id })
  change.rows.update(
    files,
    file,
    { conversation_id: message.conversation_id, use_count: file.use_count + 1 },
    null,
  )
}

/** Lets one more article use a file. */
export const useInArticle = (change: Change, file: FileRow): FileRow =>
  change.rows.update(files, file, { in_knowledge_base: true, use_count: file.use_count + 1 }, null)

/** One use less, or more than one. Deletes the file if it was the last. @returns true if it deletes the file */
export function release(change: Change, file: FileRow, uses = 1): boolean {
  const isUsed = file.use_count > uses
  if (isUsed) change.rows.update(files, file, { use_count: file.use_count - uses }, null)
  else deleteFile(change, file)
  return !isUsed
}

/**
 * Ends all uses of files by a message.
 * @param keeps true if a file that nothing uses any more can be used again, as any new one
 */
export async function releaseFilesOf(
  change: Change,
  messageId: string,
  fileIds: string[],
  keeps = false,
): Promise<void> {
  if (fileIds.length === 0) return
  change.effects.writeBatched(deleteMessageFiles, messageId)
  for (const id of fileIds) {
    const file = await change.rows.find(files, id)
    if (!file) continue
    if (!keeps || file.use_count > 1) release(change, file)
    else {
      change.rows.update(files, file, { use_count: 0, conversation_id: null }, null)
      scheduleRemoval(change, file.id, toInstant(toUnixMs(change.now) + unusedForMs))
    }
  }
}

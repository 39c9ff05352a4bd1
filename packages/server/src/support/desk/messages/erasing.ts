import type { Change } from '../../../platform/unit-of-work/change.ts'
import { releaseFilesOf } from '../../files/using.ts'
import { fileIdsOf } from './attachments/attach.ts'
import { messages } from './entity.ts'
import { deleteRevisions, type Message } from './queries.ts'

/*
 * Erasing many messages: their rows, revisions and files. The caller empties the events of their conversation
 * afterwards, and what is stored because of these.
 */

/**
 * Erases messages: body, mail, metadata, revisions, files and their names. Each is then a redacted one.
 * @returns the number of messages that had any of these, with the files that nothing uses any more, and those that were
 * deleted before
 */
export async function eraseMessages(
  change: Change,
  rows: Message[],
): Promise<{ erased: number; files: string[] }> {
  const left: string[] = []
  let count = 0
  for (const row of rows) {
    const fileIds = fileIdsOf(row)
    await releaseFilesOf(change, row.id, fileIds)
    left.push(...fileIds)
    const redacted_at = row.redacted_at ?? change.now
    const emptied = {
      body: '',
      body_html: null,
      email: null,
      delivery: null,
      attachments: null,
      mentions: null,
      file_states: null,
      metadata: {},
      redacted_at,
    }
    const erased = change.rows.update(messages, row, emptied, null)
    if (erased.version === row.version) continue
    count++
    // The former texts are not told again.
    const former = { ...row, ...emptied, redacted_at: row.redacted_at }
    const event = row.redacted_at === null ? 'message.redacted' : 'message.updated'
    change.rows.addEvent(messages, erased, event, former)
  }
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) change.effects.write(deleteRevisions(change.tenantId, ids))
  return { erased: count, files: [...new Set(left)] }
}

/** Ends the uses of files by messages, which then show them as deleted. @returns nothing whose events have texts */
export async function dropFilesOf(change: Change, rows: Message[]): Promise<string[]> {
  for (const row of rows) {
    if (row.file_states === null || row.attachments === null) continue
    await releaseFilesOf(change, row.id, fileIdsOf(row))
    change.rows.update(messages, row, { file_states: null })
  }
  return []
}

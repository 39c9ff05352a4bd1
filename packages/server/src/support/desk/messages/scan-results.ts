import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { files } from '../../files/entity.ts'
import { type FileRow, messagesWith } from '../../files/queries.ts'
import type { FileStates } from './attachments/queries.ts'
import { messages } from './entity.ts'
import { scheduledMessages } from './scheduled-entity.ts'

/** A scan that ends changes what the messages with the file show: readers of their versions and events are told. */
async function showScanResult(change: Change, before: FileRow | null, after: FileRow | null): Promise<void> {
  if (before?.status !== 'scanning' || !after || after.status === before.status) return
  const { id, status } = after
  for (const messageId of await messagesWith(change.db, change.tenantId, id)) {
    const sent = await change.rows.find(messages, messageId)
    const scheduled = sent ? null : await change.rows.find(scheduledMessages, messageId)
    const states = (former: FileStates) => ({ file_states: { ...former, [id]: status } })
    if (sent) change.rows.update(messages, sent, states(sent.file_states))
    else if (scheduled)
      change.rows.update(scheduledMessages, scheduled, states(scheduled.file_states), 'message.updated')
  }
}

export const onFile = on(files, showScanResult)

import { typeId } from '../../../../platform/kernel/ids.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { files } from '../../../files/entity.ts'
import { release } from '../../../files/using.ts'
import { type Emptied, type Erasure, emptyStreams } from '../../../integration/erasing/streams.ts'
import type { ApiObject } from '../../../integration/erasing/texts.ts'
import { dropFilesOf, eraseMessages } from '../../messages/erasing.ts'
import { nextMessages } from '../../messages/queries.ts'
import { conversations } from '../entity.ts'
import type { Conversation } from '../queries.ts'
import {
  endRemovals,
  findRemoval,
  insertRemoval,
  type Removal,
  referringTo,
  updateRemovals,
} from './queries.ts'

/** The messages that are redacted at once, and the uses of files that end at once. */
const messagesAtOnce = 100
const filesAtOnce = 100
/** References beyond these become null with the next part. */
export const referencesAtOnce = 100

/** Continues the work on a conversation, a part at a time: the next part is due at once. */
export const removal: Job = {
  name: 'conversation_removal',
  async perform(change, id) {
    const { hasMore } = await continueRemoval(change, id)
    if (hasMore) change.jobs.schedule(removal.name, id, change.now)
  },
}

/** Begins to redact all messages of a conversation, or to delete their files. */
export function beginRemoval(change: Change, { id }: Conversation, kind: 'redact' | 'delete_files'): void {
  change.effects.write(insertRemoval(change.tenantId, id, kind))
  change.jobs.schedule(removal.name, id, change.now)
}

const nothing: Emptied = { events: 0, idempotency_keys: 0, webhook_deliveries: 0 }

/** Does a part of the work: what is done and how far commits with it. */
export async function continueRemoval(
  change: Change,
  id: string,
): Promise<{ hasMore: boolean; emptied: Emptied }> {
  const former = await findRemoval(change.db, change.tenantId, id)
  if (!former) return { hasMore: false, emptied: nothing }
  change.effects.claim(`conversation_removals/${id}`)
  const { next, emptied } = await nextPart(change, id, former)
  if (next) change.effects.writeExpecting(updateRemovals, { ...next, conversation_id: id })
  else change.effects.writeExpecting(endRemovals, { ...former, conversation_id: id })
  return { hasMore: next !== null, emptied }
}

type Part = { next: Removal | null; emptied: Emptied }

const going = (next: Removal): Part => ({ next, emptied: nothing })

async function nextPart(change: Change, id: string, former: Removal): Promise<Part> {
  const { kind, file_ids, stream_ids, after } = former
  if (kind === 'delete') {
    const referring = await referringTo(change.db, change.tenantId, id, referencesAtOnce)
    for (const row of referring) dropReferences(change, row, id)
    if (referring.length === referencesAtOnce) return going(former)
  } else {
    const messages = await nextMessages(change.db, change.tenantId, id, former.after_sequence, messagesAtOnce)
    const last = messages.at(-1)
    if (last) {
      const gone =
        kind === 'redact'
          ? (await eraseMessages(change, messages)).files
          : await dropFilesOf(change, messages)
      return going({ ...former, after_sequence: last.sequence, stream_ids: [...stream_ids, ...gone] })
    }
    if (kind === 'delete_files') return { next: null, emptied: nothing }
  }
  if (file_ids.length > 0) {
    const gone = await releaseAll(change, file_ids.slice(0, filesAtOnce))
    return going({ ...former, file_ids: file_ids.slice(filesAtOnce), stream_ids: [...stream_ids, ...gone] })
  }
  const { walk, emptied } = await emptyStreams(
    change,
    { streams: stream_ids, after },
    erasureOf(id, kind, stream_ids),
  )
  if (walk.streams.length === 0) return { next: null, emptied }
  return { next: { ...former, stream_ids: walk.streams, after: walk.after }, emptied }
}

/** References of follow-ups and merged conversations become null. */
export function dropReferences(change: Change, row: Conversation, id: string): void {
  change.rows.update(conversations, row, {
    ...(row.follow_up_of_id === id ? { follow_up_of_id: null } : {}),
    ...(row.merged_into_id === id ? { merged_into_id: null } : {}),
  })
}

/** @param uses a file for each of its uses. @returns the files that nothing uses any more */
async function releaseAll(change: Change, uses: string[]): Promise<string[]> {
  const gone: string[] = []
  for (const [fileId, { length }] of Map.groupBy(uses, (each) => each)) {
    const file = await change.rows.find(files, fileId)
    if (file && release(change, file, length)) gone.push(fileId)
  }
  return gone
}

/**
 * All events of the stream of a conversation, or those of its messages alone, and those of its files. With a whole
 * conversation go the address and client of requests that its people sent: their erasure does not find it later.
 * @param streams the streams of the conversation and of files
 */
export function erasureOf(id: string, kind: Removal['kind'], streams: string[] = []): Erasure {
  const shownId = typeId('conv', id)
  const fileIds = new Set(streams.map((stream) => typeId('file', stream)))
  const isWhole = kind === 'delete'
  return {
    by: id,
    about: async () => (event) => isWhole || event.resource_type !== 'conversation',
    isMeant: (object: ApiObject) =>
      object.object === 'conversation'
        ? isWhole && object.id === shownId
        : object.object === 'message'
          ? object.conversation_id === shownId
          : object.object === 'file' && fileIds.has(object.id as string),
    isSender: ({ actor_type }) => isWhole && actor_type === 'end_user',
    ...(isWhole ? { erasesKeys: true } : {}),
  }
}

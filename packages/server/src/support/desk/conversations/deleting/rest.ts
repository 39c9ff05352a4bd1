import { typeId } from '../../../../platform/kernel/ids.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { files } from '../../../files/entity.ts'
import { release } from '../../../files/using.ts'
import { type Erasure, emptyStreams } from '../../../integration/erasing/streams.ts'
import type { ApiObject } from '../../../integration/erasing/texts.ts'
import { conversations } from '../entity.ts'
import type { Conversation } from '../queries.ts'
import { type Deletion, endDeletion, findDeletion, referringTo, updateDeletion } from './queries.ts'

/** The uses of files that end at once. */
const filesAtOnce = 100
/** References beyond these become null with the next part. */
export const referencesAtOnce = 100

/**
 * Does the rest of the deletion of a conversation, a part at a time: what is done and how far commits with it, and the
 * next part is due at once.
 */
export const finishDeletion: Job = {
  name: 'finish_deletion',
  async perform(change, id) {
    const deletion = await findDeletion(change.db, change.tenantId, id)
    if (!deletion) return
    change.effects.claim(`conversation_deletions/${id}`)
    const next = await nextPart(change, id, deletion)
    change.effects.write(next ? updateDeletion(change.tenantId, id, next) : endDeletion(change.tenantId, id))
    if (next) change.jobs.schedule(finishDeletion.name, id, change.now)
  },
}

/** @returns what remains; null at the end */
async function nextPart(change: Change, id: string, deletion: Deletion): Promise<Deletion | null> {
  const referring = await referringTo(change.db, change.tenantId, id, referencesAtOnce)
  for (const row of referring) dropReferences(change, row, id)
  if (referring.length === referencesAtOnce) return deletion
  const { file_ids, stream_ids, after } = deletion
  if (file_ids.length > 0) {
    const gone = await releaseAll(change, file_ids.slice(0, filesAtOnce))
    return { file_ids: file_ids.slice(filesAtOnce), stream_ids: [...stream_ids, ...gone], after }
  }
  const { walk } = await emptyStreams(change, { streams: stream_ids, after }, erasureOf(id, stream_ids))
  return walk.streams.length === 0 ? null : { file_ids, stream_ids: walk.streams, after: walk.after }
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
 * All events of the stream of a conversation, and those of its files.
 * @param streams the streams of the conversation and of files
 */
export function erasureOf(id: string, streams: string[] = []): Erasure {
  const shownId = typeId('conv', id)
  const fileIds = new Set(streams.map((stream) => typeId('file', stream)))
  return {
    by: id,
    about: async () => () => true,
    isMeant: (object: ApiObject) =>
      object.object === 'conversation'
        ? object.id === shownId
        : object.object === 'message'
          ? object.conversation_id === shownId
          : object.object === 'file' && fileIds.has(object.id as string),
    isSender: () => false,
  }
}

import type { FieldErrorCode } from '../../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { References } from '../../../../platform/unit-of-work/references.ts'
import { files } from '../../../files/entity.ts'
import type { FileRow } from '../../../files/queries.ts'
import { useInMessage } from '../../../files/using.ts'
import { idsOfEndUser } from '../../../people/end-users/queries.ts'
import { tokenHolderOf } from '../../../vocabulary/principal.ts'
import type { Attachment, FileStates } from './queries.ts'
import { maxAttachedBytes, type NewAttachments } from './schema.ts'

/** A file that a message may use. */
export type Attached = { file: FileRow; disposition: Attachment['disposition'] }

/**
 * Resolves the files of a new message, and reports those that it cannot use.
 * @param conversationId the conversation of the message; null if the message begins one
 * @param pointer the list in the request
 */
export async function checkAttachments(
  change: Change,
  references: References,
  conversationId: string | null,
  given: NewAttachments | undefined,
  pointer = '/attachments',
): Promise<Attached[]> {
  const attached: Attached[] = []
  for (const [i, { file_id, disposition = 'attachment' }] of (given ?? []).entries()) {
    const at = `${pointer}/${i}/file_id`
    const file = await usableFile(change, conversationId, file_id)
    const fault = (code: FieldErrorCode, detail: string) => references.fault({ pointer: at, code, detail })
    if (!file) fault('not_found', 'must be the id of a file that this message can use')
    else if (file.status !== 'ready' && file.status !== 'scanning')
      fault('not_allowed', `must be ready or scanning, and is ${file.status}`)
    else attached.push({ file, disposition })
  }
  const bytes = attached.reduce((sum, { file }) => sum + file.size_bytes, 0)
  if (bytes > maxAttachedBytes)
    references.fault({
      pointer,
      code: 'too_large',
      detail: `must have at most ${maxAttachedBytes} bytes together`,
    })
  return attached
}

/** End users attach their own files. A file of another conversation is as unknown as one that does not exist. */
async function usableFile(
  change: Change,
  conversationId: string | null,
  id: string,
): Promise<FileRow | null> {
  const uuid = uuidOf('file', id)
  const file = uuid === null ? null : await change.rows.find(files, uuid)
  if (!file || file.in_knowledge_base || file.required_scopes) return null
  if (file.conversation_id !== null && file.conversation_id !== conversationId) return null
  return (await isOwn(change, file)) ? file : null
}

async function isOwn({ ctx, db, tenantId }: Change, { end_user_id }: FileRow): Promise<boolean> {
  const endUser = tokenHolderOf(ctx)
  if (endUser === null || end_user_id === endUser.id) return true
  return end_user_id !== null && (await idsOfEndUser(db, tenantId, endUser.id)).includes(end_user_id)
}

/** Lets a new message, sent or scheduled, use files. @returns the members of its row */
export function attach(
  change: Change,
  message: { id: string; conversation_id: string },
  attached: Attached[],
): { attachments: Attachment[] | null; file_states: FileStates } {
  if (attached.length === 0) return { attachments: null, file_states: null }
  for (const { file } of attached) useInMessage(change, file, message)
  return {
    attachments: attachmentsOf(attached),
    file_states: Object.fromEntries(attached.map(({ file: { id, status } }) => [id, status])),
  }
}

export const attachmentsOf = (attached: Attached[]): Attachment[] =>
  attached.map(({ file: { id, filename, content_type, size_bytes }, disposition }) => ({
    file_id: id,
    filename,
    content_type,
    size_bytes,
    disposition,
  }))

/** The UUIDs of the files of a message. */
export const fileIdsOf = ({ attachments }: { attachments: Attachment[] | null }): string[] =>
  (attachments ?? []).map(({ file_id }) => file_id)

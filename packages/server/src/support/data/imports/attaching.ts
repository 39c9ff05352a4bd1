import { toInstant } from '../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Attached } from '../../desk/messages/attachments/attach.ts'
import { maxAttachedBytes } from '../../desk/messages/attachments/schema.ts'
import { files } from '../../files/entity.ts'
import { createMadeFile } from '../../files/making.ts'
import type { FileRow } from '../../files/queries.ts'
import { insertScans } from '../../files/tasks/queries.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import type { MessageLine } from './conversation-schema.ts'
import type { Fetched } from './fetching.ts'

/** Files that were fetched, by the number of the line and the index of the attachment. */
export type FetchedFiles = Map<string, Fetched>

type FetchedFile = Exclude<Fetched, { missing: string }>

/** A file that a message needs, and that is still to be fetched. */
export type Wanted = { key: string; url: string; filename: string | undefined }

/**
 * The files of a message, whose faults are added. A file that could not be fetched is told, and the message does
 * without it.
 * @param isDry true if no file was fetched, and none is made
 */
export async function filesOf(
  change: Change,
  number: number,
  { attachments = [] }: MessageLine,
  faults: ResultFault[],
  { fetched, isDry, used }: { fetched: FetchedFiles; isDry: boolean; used: Set<string> },
): Promise<{ attached: Attached[]; missing: ResultFault[]; wanted: Wanted[] }> {
  const found: { file: FileRow | FetchedFile; disposition: Attached['disposition'] }[] = []
  const [missing, wanted]: [ResultFault[], Wanted[]] = [[], []]
  for (const [i, { file_id, url, filename, disposition = 'attachment' }] of attachments.entries()) {
    if (file_id !== undefined) {
      const pointer = `/attachments/${i}/file_id`
      const file = await usableFile(change, file_id, used)
      if (typeof file === 'string')
        faults.push({ pointer, code: file === 'not_found' ? file : 'not_allowed', detail: details[file] })
      else found.push({ file, disposition })
      continue
    }
    if (isDry) continue
    const key = `${number}/${i}`
    const got = fetched.get(key)
    if (!got) wanted.push({ key, url: url!, filename })
    else if ('missing' in got)
      missing.push({
        pointer: `/attachments/${i}/url`,
        code: 'file_missing',
        detail: `The file could not be fetched: ${got.missing}.`.slice(0, 1_000),
      })
    else found.push({ file: got, disposition })
  }
  const bytes = found.reduce((sum, { file }) => sum + file.size_bytes, 0)
  if (bytes > maxAttachedBytes)
    faults.push({
      pointer: '/attachments',
      code: 'too_large',
      detail: `must have at most ${maxAttachedBytes} bytes together`,
    })
  if (faults.length > 0) return { attached: [], missing, wanted: [] }
  const attached = found.map(({ file, disposition }) => ({
    file: 'status' in file ? file : fetchedFile(change, file),
    disposition,
  }))
  return { attached, missing, wanted }
}

const details = {
  not_found: 'must be the id of an existing file',
  not_ready: 'must be the id of a file that is ready',
  in_use: 'must be the id of a file that nothing uses',
}

async function usableFile(
  change: Change,
  id: string,
  used: Set<string>,
): Promise<FileRow | keyof typeof details> {
  const uuid = uuidOf('file', id)
  const file = uuid === null ? null : await change.rows.find(files, uuid)
  if (!file || file.required_scopes !== null || file.in_knowledge_base) return 'not_found'
  if (file.status !== 'ready' && file.status !== 'scanning') return 'not_ready'
  if (file.use_count > 0 || used.has(file.id)) return 'in_use'
  used.add(file.id)
  return file
}

/** Creates the row of a file whose bytes are stored; a scanner looks at it as at any upload. */
function fetchedFile(change: Change, got: FetchedFile): FileRow {
  const { id, filename, content_type, size_bytes, sha256 } = got
  const file = createMadeFile(change, {
    id,
    filename,
    content_type,
    size_bytes,
    sha256,
    required_scopes: null,
  })
  if (!change.ctx.services.files.scans) return file
  const now = toInstant(Date.now())
  change.effects.writeBatched(insertScans, { copies: 0, file_id: id, due_at: now, final_at: now })
  return change.rows.update(files, file, { status: 'scanning' }, null)
}

import { open } from 'node:fs/promises'
import { defaultDeniedExtensions, isDenied } from '../../../platform/files/denied-types.ts'
import { judgeType } from '../../../platform/files/media-types.ts'
import { type Detected, detect, detectionBytes } from '../../../platform/files/type-of-bytes.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { Attached } from '../../desk/messages/attachments/attach.ts'
import { maxAttachments } from '../../desk/messages/attachments/schema.ts'
import { createMadeFile, storeBytesAs } from '../../files/making.ts'
import { deniedExtensions, type FileRow } from '../../files/queries.ts'
import { insertScans } from '../../files/tasks/queries.ts'
import type { DroppedAttachment } from '../inbound-emails/queries.ts'
import type { NewFile } from './digest.ts'

/** A file of a mail whose bytes are stored, and has no row yet. */
export type StoredFile = { file: NewFile; contentType: string }

/**
 * Stores the bytes of the files of a mail. Those that the message cannot have are dropped.
 * @throws StoreUnavailable
 */
export async function storeFiles(
  ctx: Ctx,
  files: NewFile[],
): Promise<{ stored: StoredFile[]; dropped: DroppedAttachment[] }> {
  if (files.length === 0) return { stored: [], dropped: [] }
  const denied = (await deniedExtensions(ctx.db, ctx.env.tenantId)) ?? defaultDeniedExtensions
  const stored: StoredFile[] = []
  const dropped: DroppedAttachment[] = []
  for (const file of files) {
    const { filename, contentType: content_type, sizeBytes: size_bytes } = file
    const drop = (reason: DroppedAttachment['reason']) =>
      dropped.push({ filename, content_type, size_bytes, reason })
    const detected = await detect(await headOf(file.path))
    const judged = judgeType(content_type, detected)
    if (isDenied(denied, filename, detected)) drop('type')
    else if (size_bytes > ctx.services.files.maxBytes) drop('size')
    else if (stored.length >= maxAttachments) drop('count')
    else {
      await storeBytesAs(ctx, file.fileId, file.path, size_bytes)
      // Mail programs often declare a wrong type: the bytes tell.
      const contentType = judged === 'mismatch' ? typeOf(detected) : judged.contentType
      stored.push({ file, contentType })
    }
  }
  return { stored, dropped }
}

const typeOf = (detected: Detected): string => {
  if (typeof detected === 'object') return detected.mime
  return detected === 'text' ? 'text/plain' : 'application/octet-stream'
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(detectionBytes), 0, detectionBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Creates the rows of stored files, for a message of the same change. They are scanned if there is a scanner. */
export function filesOf(change: Change, stored: StoredFile[]): Attached[] {
  const { scans } = change.ctx.services.files
  return stored.map(({ file: { fileId, filename, sizeBytes, disposition }, contentType }) => {
    const made: FileRow = createMadeFile(
      change,
      {
        id: fileId,
        filename,
        content_type: contentType,
        size_bytes: sizeBytes,
        sha256: null,
        required_scopes: null,
      },
      scans ? 'scanning' : 'ready',
    )
    const now = toInstant(Date.now())
    if (scans)
      change.effects.writeBatched(insertScans, { file_id: fileId, copies: 0, due_at: now, final_at: now })
    return { file: made, disposition }
  })
}

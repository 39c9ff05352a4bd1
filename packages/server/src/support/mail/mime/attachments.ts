import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Attachment } from './email.ts'
import { fileNameOf } from './names.ts'
import type { Part } from './parts.ts'
import { decodeTransfer } from './transfer.ts'

type Description = Omit<Attachment, 'filename' | 'path' | 'sizeBytes'> & { name: string | null }

/**
 * Writes attachments as files `1`, `2` … of a directory, piece by piece: their content is not in memory as a whole. The
 * directory is made for the first one, if it does not exist.
 */
export type AttachmentWriter = {
  attachments: Attachment[]
  add(file: Description, bytes: Uint8Array): void
  addPart(part: Part, changes?: Partial<Description>): void
}

export function openAttachments(directory: string): AttachmentWriter {
  const attachments: Attachment[] = []
  const write = ({ name, ...file }: Description, content: (sink: (bytes: Uint8Array) => void) => void) => {
    const number = attachments.length + 1
    if (number === 1) mkdirSync(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, String(number))
    const sizeBytes = writeFile(path, content)
    attachments.push({ filename: fileNameOf(name, file.contentType, number), ...file, path, sizeBytes })
  }
  return {
    attachments,
    add: (file, bytes) => write(file, (sink) => sink(bytes)),
    addPart(part, changes = {}) {
      const contentType = part.type.value
      const file = {
        name: nameOf(part),
        contentType,
        contentId: part.contentId,
        disposition: dispositionOf(part),
      }
      write({ ...file, ...changes }, (sink) => decodeTransfer(part.content, part.encoding, sink))
    },
  }
}

function writeFile(path: string, content: (sink: (bytes: Uint8Array) => void) => void): number {
  const file = openSync(path, 'wx')
  let size = 0
  try {
    content((bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      size += bytes.length
    })
  } finally {
    closeSync(file)
  }
  return size
}

/** The name that a part declares; null without one. */
export const nameOf = ({ disposition, type }: Part): string | null =>
  disposition.parameters.get('filename') || type.parameters.get('name') || null

/** A part with a Content-ID is shown by the HTML, unless it says that it is an attachment. */
function dispositionOf({ disposition, contentId }: Part): 'inline' | 'attachment' {
  if (disposition.value === 'inline') return 'inline'
  return disposition.value === '' && contentId ? 'inline' : 'attachment'
}

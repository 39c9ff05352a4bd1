import type { Uploader, UploadLog } from './uploads.ts'

type Attachment = { path?: string; filename?: string; content_type?: string; disposition?: string }
type Message = { external_id?: string; body?: unknown; attachments?: unknown }

export type FileSending = {
  /** The beginning of the idempotency keys. */
  key: string
  uploader: Uploader
  log: UploadLog
  /** Takes what is told of a file that the server does not take. */
  refuse(loss: object): void
}

/** The line as it is sent: its files are uploaded, and `path` becomes `file_id`, in the body too. */
export async function prepared(line: string, sending: FileSending): Promise<{ line: string; files: number }> {
  const message = withPaths(line)
  if (!message) return { line, files: 0 }
  let { body } = message
  const attachments: object[] = []
  for (const attachment of message.attachments) {
    const { path, content_type: _, ...rest } = attachment
    if (path === undefined) {
      attachments.push(attachment)
      continue
    }
    const { id, reason } = await fileOf(attachment, sending)
    if (id !== null) attachments.push({ file_id: id, ...rest })
    else {
      const detail = `${attachment.filename ?? path}: ${reason}`
      sending.refuse({
        source_type: 'message',
        source_id: message.external_id ?? '',
        reason: 'file_missing',
        detail,
      })
    }
    if (typeof body === 'string') body = replaced(body, path, id)
  }
  if (attachments.length === 0 && (body === undefined || body === '')) body = namesOf(message.attachments)
  return { line: JSON.stringify({ ...message, body, attachments }), files: message.attachments.length }
}

/** The line as a dry run gets it: without files. */
export function withoutFiles(line: string): string {
  const message = withPaths(line)
  if (!message) return line
  const attachments = message.attachments.filter(({ path }) => path === undefined)
  let { body } = message
  for (const { path } of message.attachments)
    if (typeof body === 'string' && path !== undefined) body = replaced(body, path, null)
  if (attachments.length === 0 && !body) body = namesOf(message.attachments)
  return JSON.stringify({ ...message, body, attachments })
}

/** A message with files of the folder; null for other lines. Faulty lines are the server's to judge. */
function withPaths(line: string): (Message & { attachments: Attachment[] }) | null {
  if (!line.includes('"path"')) return null
  try {
    const message: Message = JSON.parse(line)
    const { attachments } = message
    const isOne =
      Array.isArray(attachments) &&
      attachments.some((each) => typeof each === 'object' && typeof each?.path === 'string')
    return isOne ? (message as Message & { attachments: Attachment[] }) : null
  } catch {
    return null
  }
}

async function fileOf({ path, filename, content_type }: Attachment, { key, uploader, log }: FileSending) {
  const known = log.find(path!)
  if (known) return { id: known.file_id, reason: known.reason }
  const name = filename ?? path!.split('/').at(-1)!
  const uploaded = await uploader.upload({ path: path!, filename: name, content_type }, key)
  log.add(uploaded)
  return { id: uploaded.file_id, reason: uploaded.reason }
}

/** The body with an image at the file, or with its description if there is none. */
const replaced = (body: string, path: string, id: string | null): string =>
  id !== null
    ? body.replaceAll(`(file:${path})`, `(file:${id})`)
    : body.replaceAll(`(file:${path})`, '()').replace(/!\[([^\]]*)\]\(\)/g, '$1')

const namesOf = (attachments: Attachment[]): string =>
  attachments.map(({ filename, path }) => `[${filename ?? path}]`).join(' ')

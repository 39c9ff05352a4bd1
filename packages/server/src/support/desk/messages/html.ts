import { isImage } from '../../../platform/files/media-types.ts'
import { escapeHtml, fileIdIn, withFileUrls } from '../../../platform/kernel/html-images.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { renderedOrNull } from '../../../platform/kernel/markdown.ts'
import type { Caller } from '../../../platform/kernel/threads.ts'
import type { Attachment } from './attachments/queries.ts'
import type { Message } from './queries.ts'

/** The text of a message as it is stored. */
export type MessageText = Pick<Message, 'body' | 'body_format' | 'body_html'>

type Written = Pick<Message, 'author_side' | 'body'> & {
  attachments: Pick<Attachment, 'file_id' | 'content_type'>[] | null
  body_format?: Message['body_format'] | undefined
}

/**
 * The text of a new message, or the new text of one: Markdown with its HTML. All texts are made by this function. Slow
 * and disproportionate Markdown has no HTML, and is shown as it was written.
 */
export async function textOf(
  caller: Caller,
  { author_side, body, body_format = 'text', attachments }: Written,
): Promise<MessageText> {
  if (body_format === 'text') return { body, body_format, body_html: null }
  const images = (attachments ?? []).filter(({ content_type }) => isImage(content_type))
  const files = new Set(images.map(({ file_id }) => file_id))
  // An image of an end user elsewhere would tell its server who reads the message, and when.
  const keepsImage = (src: string) => {
    const file = fileIdIn(src)
    if (file !== null) return files.has(uuidOf('file', file)!)
    return author_side !== 'end_user' && !src.startsWith('file:')
  }
  return { body, body_format, body_html: await renderedOrNull(caller, body, keepsImage) }
}

/**
 * A text as safe HTML; null for an empty one.
 * @param urlOf the address of the content of a file, by its id
 */
export function htmlOf({ body, body_html }: MessageText, urlOf: (fileId: string) => string): string | null {
  if (body === '') return null
  return body_html === null ? escaped(body) : withFileUrls(body_html, urlOf)
}

const escaped = (text: string): string => {
  const html = escapeHtml(text)
  return /[\r\n]/.test(html) ? html.replace(/\r\n|\r|\n/g, '<br>') : html
}

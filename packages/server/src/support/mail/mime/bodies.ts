import { escapeHtml } from '../../../platform/kernel/html-images.ts'
import { type AttachmentWriter, nameOf } from './attachments.ts'
import type { Warning } from './charsets.ts'
import { isMediaType, isMultipart, type Part } from './parts.ts'
import { textOf } from './texts.ts'
import { readTnef } from './tnef.ts'
import { decodedBytes } from './transfer.ts'

export type Bodies = { text: string | null; html: string | null }

/** A piece of the body in one or both formats. */
type Piece = { plain: string | null; html: string | null }

/** Text beyond this number of characters is not repeated in the HTML. It remains in the text. */
const maxConvertedLength = 1_048_576

/**
 * Reads the body of a mail and writes its files.
 * @param files null for a mail within a mail, of which only the body is read
 */
export function readBodies(root: Part, files: AttachmentWriter | null, warnings: Set<Warning>): Bodies {
  let hasText = false
  const tnef: Part[] = []

  function piecesOf(part: Part, isAlternative: boolean): Piece[] {
    if (part.type.value === 'multipart/alternative' && part.children.length > 0) return alternativeOf(part)
    if (part.children.length > 0) {
      if (part.type.value === 'multipart/encrypted') warnings.add('encrypted')
      return part.children.flatMap((child) => piecesOf(child, isAlternative))
    }
    if (isAlternative && isForOtherPrograms(part)) return []
    if (isTnef(part)) tnef.push(part)
    else if (isMachineReadable(part)) return []
    else if (isText(part) && !(hasText && nameOf(part))) return pieceOf(part)
    else addFile(part)
    return []
  }

  /** Each alternative is the same content, so pieces of HTML and of text stand for each other. */
  function alternativeOf(part: Part): Piece[] {
    const alternatives = part.children
      .map((child) => piecesOf(child, true))
      .filter((pieces) => pieces.length > 0)
    const withHtml = alternatives.filter((pieces) => pieces.some(({ html }) => html !== null)).flat()
    const withoutHtml = alternatives.filter((pieces) => pieces.every(({ html }) => html === null)).flat()
    const plain = joinText(withoutHtml) ?? joinText(withHtml)
    return [{ plain, html: joinHtml(withHtml) }]
  }

  function pieceOf(part: Part): Piece[] {
    hasText = true
    const content = textOf(part, warnings)
    if (part.type.value === 'text/html') return [{ plain: null, html: content }]
    return [{ plain: withoutEncrypted(content), html: null }]
  }

  function withoutEncrypted(text: string): string {
    const block = findPgp(text)
    if (!block) return text
    warnings.add('encrypted')
    const bytes = Buffer.from(text.slice(block.start, block.end))
    const contentType = 'application/pgp-encrypted'
    files?.add({ name: 'message.asc', contentType, contentId: null, disposition: 'attachment' }, bytes)
    return text.slice(0, block.start) + text.slice(block.end)
  }

  function addFile(part: Part): void {
    const isEncrypted =
      isPkcs7(part) && part.type.parameters.get('smime-type')?.toLowerCase() !== 'certs-only'
    if (isEncrypted) warnings.add('encrypted')
    files?.addPart(part, isMultipart(part) ? { contentType: 'application/octet-stream' } : {})
  }

  const pieces = piecesOf(root, false)
  const isBlank = pieces.every(({ plain, html }) => !plain?.trim() && !html?.trim())
  const ofTnef = tnef.flatMap((part) => unpack(part, isBlank, files, warnings))
  const all = isBlank && ofTnef.length > 0 ? ofTnef : pieces
  return { text: joinText(all), html: joinHtml(all) }
}

/** Formats of the same content for programs that show more than HTML, such as Gmail and a watch. */
const isForOtherPrograms = (part: Part) => ['text/x-amp-html', 'text/watch-html'].includes(part.type.value)

/** Kinds of text that are files although nothing names them so. */
const textsOfFiles = /^text\/(calendar|css|csv|directory|javascript|rtf|vcard|x-.*|xml|.*-headers)$/

/** A multipart without parts is text: its boundary is wrong. */
function isText(part: Part): boolean {
  const { value } = part.type
  if (part.disposition.value === 'attachment') return false
  return isMultipart(part) || (value.startsWith('text/') && !textsOfFiles.test(value))
}

const isTnef = (part: Part) =>
  /^application\/(vnd\.)?ms-tnef$/.test(part.type.value) || nameOf(part)?.toLowerCase() === 'winmail.dat'

const isPkcs7 = (part: Part) => /^application\/(x-)?pkcs7-mime$/.test(part.type.value)

/** Parts of a report that programs read. */
const isMachineReadable = (part: Part) =>
  /^(message|text)\/((global-)?delivery-?status|(global-)?disposition-notification|feedback-report|(rfc822|global)-headers)$/.test(
    part.type.value,
  )

function findPgp(text: string): { start: number; end: number } | null {
  const begin = '-----BEGIN PGP MESSAGE-----'
  const end = '-----END PGP MESSAGE-----'
  const start = text.startsWith(begin) ? 0 : text.indexOf(`\n${begin}`) + 1
  if (start === 0 && !text.startsWith(begin)) return null
  const last = text.indexOf(`\n${end}`, start)
  return { start, end: last < 0 ? text.length : last + 1 + end.length }
}

/**
 * Unpacks a winmail.dat. One that is damaged is attached as it is, and so is one whose only body is RTF.
 * @param isBody true if the mail has no other body
 */
function unpack(
  part: Part,
  isBody: boolean,
  files: AttachmentWriter | null,
  warnings: Set<Warning>,
): Piece[] {
  const tnef = readTnef(decodedBytes(part.content, part.encoding), warnings)
  const hasBody = tnef !== null && (tnef.text !== null || tnef.html !== null)
  if (!hasBody && (isBody || !tnef?.files.length)) {
    warnings.add('tnef')
    files?.addPart(part)
  }
  for (const { name, contentType, contentId, bytes } of tnef?.files ?? []) {
    const type = contentType && isMediaType(contentType) ? contentType : 'application/octet-stream'
    files?.add(
      { name, contentType: type, contentId, disposition: contentId ? 'inline' : 'attachment' },
      bytes,
    )
  }
  return tnef && hasBody ? [{ plain: tnef.text, html: tnef.html }] : []
}

function joinText(pieces: Piece[]): string | null {
  const texts = pieces.map(({ plain }) => plain).filter((plain) => plain !== null)
  if (texts.length <= 1) return texts[0] ?? null
  return texts.filter((text) => text.trim()).join('\n\n')
}

/** The pieces in HTML. Without one in HTML, null. */
function joinHtml(pieces: Piece[]): string | null {
  if (pieces.every(({ html }) => html === null)) return null
  return pieces
    .map(({ html, plain }) => html ?? toHtml(plain ?? ''))
    .filter((html) => html.trim())
    .join('\n\n')
}

const toHtml = (text: string): string =>
  text.trim() &&
  `<div>${escapeHtml(text.slice(0, maxConvertedLength).trim()).replaceAll('\n', '<br>\n')}</div>`

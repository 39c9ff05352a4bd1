import { MIMEType } from 'node:util'
import { safeName } from './file-names.ts'
import { essenceOf, isShownInline } from './media-types.ts'

/** The headers with which the bytes of a file are served, apart from those of its length, range and entity tag. */
export type ContentHeaders = {
  'content-type': string
  'content-disposition': string
  'content-security-policy': string
  'x-content-type-options': 'nosniff'
  'cross-origin-resource-policy': 'cross-origin'
  'cache-control': string
}

/**
 * - `cross-origin-resource-policy`: pages of other origins show images of messages, by a signed URL or by a blob that
 *   they fetched. The policy protects responses that a browser gets by credentials which it sends by itself. There are
 *   none here: each read needs an `Authorization` header, which an element of a page cannot send, or a URL that is
 *   secret and valid for five minutes.
 * - `cache-control`: a browser keeps the bytes and asks before each use, so that rights are checked at each read.
 *   Bytes of a file never change, so the answer is 304 as long as the reader has them.
 */
export const contentHeaders = (file: { filename: string; contentType: string }): ContentHeaders => ({
  'content-type': contentTypeOf(file.contentType),
  'content-disposition': contentDisposition(
    isShownInline(file.contentType) ? 'inline' : 'attachment',
    file.filename,
  ),
  'content-security-policy': essenceOf(file.contentType) === 'application/pdf' ? pdfPolicy : sandboxPolicy,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, no-cache',
})

/** A document that a browser makes of the bytes has an origin of its own, runs no script and loads nothing. */
const sandboxPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * Without a sandbox: browsers whose PDF viewer is a plug-in of the document show no PDF in one, as earlier releases of
 * Chromium do. The viewer needs its own styles and object. Scripts of a PDF run in the viewer, which gives them no
 * access to the document or its origin.
 */
const pdfPolicy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const token = "[\\w!#$%&'*+.^`|~-]+"
const essence = new RegExp(`^${token}/${token}$`)
const charset = /^[\w.:+-]{1,40}$/

/**
 * The type without the parameters that were announced, which can be anything in files of before they were checked. That
 * of a text has its encoding, which other readers than browsers take from the header alone.
 */
function contentTypeOf(contentType: string): string {
  const type = essenceOf(contentType)
  if (!essence.test(type)) return 'application/octet-stream'
  if (!type.startsWith('text/')) return type
  const given = new MIMEType(contentType).params.get('charset')
  const encoding = given && charset.test(given) ? given : type === 'text/plain' ? 'utf-8' : null
  return encoding ? `${type}; charset=${encoding}` : type
}

/**
 * `Content-Disposition` (RFC 6266). `filename` is a fallback in ASCII without the characters that appendix D advises
 * against: quotation marks, backslashes and percent signs. `filename*` (RFC 8187) is there if the fallback differs from
 * the name; every browser prefers it.
 */
export function contentDisposition(type: 'inline' | 'attachment', filename: string): string {
  const name = safeName(filename)
  const fallback = name.replace(/[^\x20-\x7e]|["%]/gu, '_')
  const extended = fallback === name ? '' : `; filename*=UTF-8''${extendedValue(name)}`
  return `${type}; filename="${fallback}"${extended}`
}

/** `attr-char` of RFC 8187 has fewer characters than encodeURIComponent leaves as they are. */
const extendedValue = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export type Range = { start: number; end: number }

/**
 * One range of bytes, both ends included (RFC 9110 section 14.1.2). Null stands for the whole content: there is no
 * header, its unit or syntax is unknown, or it asks for several ranges, which a server may ignore (section 14.2).
 * The answer to `unsatisfiable` is 416.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const ranges = /^bytes=(.*)$/i.exec(header ?? '')?.[1]?.split(',')
  const [range, ...others] = ranges?.map((each) => each.trim()).filter((each) => each !== '') ?? []
  const [, first, last] = /^(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (others.length > 0 || first === undefined || last === undefined || first + last === '') return null
  if (first === '') {
    if (Number(last) === 0) return 'unsatisfiable'
    return size === 0 ? null : { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return null
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/**
 * Whether a `Range` applies: strong comparison with the one tag of `If-Range` (RFC 9110 section 13.1.5). A date never
 * matches, since contents have no `Last-Modified`.
 */
export const matchesIfRange = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag

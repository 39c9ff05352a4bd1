import { supportedMimeTypes } from 'file-type'
import { words } from '../kernel/words.ts'
import { documentTypes, groups, partlyDetected } from './media-type-groups.ts'
import type { Detected } from './type-of-bytes.ts'

const name = '[A-Za-z0-9!#$&^_.+-]+' // RFC 6838 section 4.2, which has fewer characters than a token
const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
const quoted = '"([ !#-\\[\\]-~]|\\\\[ -~])*"'

/**
 * A media type with its parameters (RFC 9110 sections 5.6 and 8.3.1). Browsers read a comma outside a quoted string as
 * the beginning of another type.
 */
export const mediaTypePattern = `^${name}/${name}( *;( *${token}=(${token}|${quoted}))?)* *$`

/** The type and subtype of a media type, without parameters and in lower case. */
export const essenceOf = (mediaType: string): string => mediaType.split(';', 1)[0]!.trim().toLowerCase()

/**
 * Types that browsers show without running anything. HTML, SVG and XML are documents that can contain scripts. HEIC is
 * not among them: most browsers do not show it.
 */
const shownInline = new Set(
  words(`
    image/apng image/avif image/bmp image/gif image/jpeg image/jpg image/pjpeg image/png
    image/vnd.microsoft.icon image/webp image/x-icon image/x-ms-bmp application/pdf text/plain`),
)

export const isShownInline = (contentType: string): boolean => shownInline.has(essenceOf(contentType))

/** True for images that browsers show without running anything. */
export const isImage = (contentType: string): boolean =>
  isShownInline(contentType) && essenceOf(contentType).startsWith('image/')

const groupsOf = new Map<string, Set<number>>()
for (const [i, group] of groups.entries())
  for (const type of group) groupsOf.set(type, (groupsOf.get(type) ?? new Set()).add(i))

const areRelated = (one: string, other: string): boolean =>
  one === other || !(groupsOf.get(one) ?? new Set()).isDisjointFrom(groupsOf.get(other) ?? new Set())

const detectable = new Set([...supportedMimeTypes].map(essenceOf))

/** Whether `detect` would know the bytes of a file of this type. */
const isDetectable = (type: string): boolean =>
  [...detectable].some((each) => areRelated(each, type)) &&
  !partlyDetected.some((each) => areRelated(each, type)) &&
  !isOldOffice(type)

/** Compound files, RTF and others; browsers on Windows declare CSV as a table of Excel. */
const isOldOffice = (type: string) => /^application\/(x-)?(vnd\.)?(ms-?)?(word|excel|powerpoint)$/.test(type)

const isDocument = (type: string) => isOldOffice(type) || documentTypes.some((each) => each.test(type))

const unspecific = new Set(
  words(`
    application/octet-stream binary/octet-stream application/binary application/x-binary application/download
    application/x-download application/force-download application/unknown application/x-unknown-content-type
    unknown/unknown */*`),
)

const textual = new Set(
  words(`
    ecmascript graphql javascript json jsonlines mbox ndjson rtf sql toml xml x-csh x-httpd-php x-javascript
    x-ndjson x-perl x-python x-sh x-shellscript x-sql x-subrip x-tex x-toml x-yaml xml-dtd x-php x-ruby yaml
    x-typescript pem-certificate-chain pgp-encrypted pgp-keys pgp-signature postscript eps x-ms-regedit
    typescript x-pem-file`).map((name) => `application/${name}`),
)

/** Whether files of a type are text. */
const isTextual = (type: string): boolean =>
  /^(text|message)\//.test(type) || /\+(json|xml|yaml)$/.test(type) || textual.has(type)

/** Containers whose bytes do not show what is in them: a declared type that nobody here knows can be true. */
const containers = new Set(
  words(`
    application/zip application/x-cfb application/gzip application/x-sqlite3 application/x-tar
    application/zstd application/xml application/x-apple-diskimage`),
)

/**
 * The media type with which a file is served, by the declared one and its bytes; `mismatch` if they contradict each
 * other. The declared type stays as it is, with its parameters, unless it says nothing (`application/octet-stream`).
 *
 * Text may be declared as another kind of text, HTML as `text/plain` among them: it is then served with `nosniff`, so
 * a browser shows its source. Text that is declared as HTML, SVG or XML is saved and not shown, whatever it is. HTML,
 * SVG and scripts are never an image, a PDF or another format that a browser or program could be tricked with.
 */
export function judgeType(declared: string, detected: Detected): { contentType: string } | 'mismatch' {
  const type = essenceOf(declared)
  if (unspecific.has(type) && typeof detected === 'object') return { contentType: detected.mime }
  return unspecific.has(type) || detected === 'empty' || agrees(type, detected)
    ? { contentType: declared }
    : 'mismatch'
}

function agrees(type: string, detected: Exclude<Detected, 'empty'>): boolean {
  if (detected === 'text') return isTextual(type) || !isDetectable(type)
  if (detected === 'binary') return !isTextual(type) && !isDetectable(type)
  const actual = essenceOf(detected.mime)
  if (areRelated(type, actual) || (isTextual(type) && (isTextual(actual) || actual === 'model/stl')))
    return true
  if (isTextual(type)) return false
  if (actual === 'application/zip' || actual === 'application/x-cfb')
    return isDocument(type) || !isDetectable(type)
  // A document is a ZIP, too; jar and apk are, and their extensions are what a list of denied types refuses.
  if (areRelated(type, 'application/zip')) return isDocument(actual)
  if (isOldOffice(type) && isDocument(actual)) return true
  return containers.has(actual) && !isDetectable(type)
}

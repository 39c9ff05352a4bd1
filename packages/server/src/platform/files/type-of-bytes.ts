import { FileTypeParser } from 'file-type'
import { markupOf } from './markup.ts'

/*
 * The type of a file by its bytes. The library `file-type` knows signatures of binary formats; text has none, apart
 * from scripts, HTML and SVG, which are detected here.
 */

/**
 * A known type with its usual extension; otherwise `text` for bytes that can be text, `binary` for others, `empty` for
 * none.
 */
export type Detected = { mime: string; ext: string } | 'text' | 'binary' | 'empty'

/**
 * The number of bytes that `detect` needs of a longer file. Those of ISO images begin at 32,769; ZIP containers (docx,
 * odt, jar) are known by entries at their beginning.
 */
export const detectionBytes = 65_536

/** @param head the beginning of a file: all of it, or at least `detectionBytes` */
export async function detect(head: Uint8Array): Promise<Detected> {
  if (head.length === 0) return 'empty'
  const bytes = head.subarray(0, detectionBytes)
  const text = textOf(bytes)
  const isText = !binaryData.test(text)
  if (text.startsWith('#!') && !text.startsWith('#!AMR')) return { mime: 'text/x-shellscript', ext: 'sh' }
  if (/^\s*<\?php\b/i.test(text)) return { mime: 'text/x-php', ext: 'php' }
  if (/^\s*@echo off\b/i.test(text)) return { mime: 'text/x-batch', ext: 'bat' }
  const markup = markupOf(text)
  if (markup === 'html') return { mime: 'text/html', ext: 'html' }
  if (markup === 'svg') return { mime: 'image/svg+xml', ext: 'svg' }
  const known = (await knownType(bytes)) ?? signatureOf(bytes)
  if (known && !(isText && isMistaken(known, bytes, text))) return known
  return isText ? 'text' : 'binary'
}

/** `binary data byte` of the WHATWG MIME Sniffing Standard, section 3. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const binaryData = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/** The bytes as characters, without a byte order mark. One that is not UTF-16 is read byte by byte. */
function textOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start).toString('latin1')
}

/**
 * The library inflates up to 16 MiB of a GZIP to find a tar in it. That takes 150 ms with a hostile one, which can also
 * lie behind an ID3 tag. Here a GZIP is only that.
 */
class Parser extends FileTypeParser {
  async detectGzip(): Promise<{ mime: string; ext: string }> {
    return { mime: 'application/gzip', ext: 'gz' }
  }
}

/**
 * The library reads up to 1,024 entries of a ZIP: 25 ms in 64 KiB of hostile ones, 10 ms in these. The entries that
 * tell a document from an archive are the first ones.
 */
const zipBytes = 16_384

/** An error of the library means that the bytes are not what they seemed to be. */
async function knownType(bytes: Uint8Array): Promise<{ mime: string; ext: string } | undefined> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  return await new Parser().fromBuffer(isZip ? bytes.subarray(0, zipBytes) : bytes).catch(() => undefined)
}

/**
 * Formats that the library gives up if a structure of theirs lies behind the bytes that it got, as the directory of a
 * TIFF does.
 */
const signatures: [signature: string, mime: string, ext: string][] = [
  ['II*\0', 'image/tiff', 'tif'],
  ['MM\0*', 'image/tiff', 'tif'],
  ['\x89PNG\r\n\x1a\n', 'image/png', 'png'],
  ['OggS', 'application/ogg', 'ogx'],
  ['\x1aE\xdf\xa3', 'video/matroska', 'mkv'],
  ['0&\xb2u\x8ef\xcf\x11', 'application/vnd.ms-asf', 'asf'],
]

function signatureOf(bytes: Uint8Array): { mime: string; ext: string } | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1')
  // Readers of PDF accept spaces before its signature.
  if (/^(\xef\xbb\xbf)?\s*%PDF-/.test(start)) return { mime: 'application/pdf', ext: 'pdf' }
  const [, mime, ext] = signatures.find(([signature]) => start.startsWith(signature)) ?? []
  return mime && ext ? { mime, ext } : undefined
}

/** Formats whose files can consist of text alone. */
const textFormats = new Set(
  ['cpio', 'eps', 'ics', 'pdf', 'pgp', 'ps', 'reg', 'rtf', 'vcf', 'vtt', 'xml'].concat('exe', 'stl'),
)

/**
 * Many signatures are short: `BM` is a bitmap, `MAC ` a sound, `G` at two places a film. Binary formats cannot have a
 * header without binary bytes, so a text that begins with those letters is a text.
 */
function isMistaken({ ext }: { ext: string }, bytes: Uint8Array, text: string): boolean {
  // Windows runs no file whose PE header begins after 256 MiB, an offset that is stored at 0x3c.
  if (ext === 'exe') return !(bytes.length >= 64 && bytes[63]! < 0x10)
  if (ext === 'stl') return !/^solid [^\n]*\n\s*facet\s/.test(text.slice(0, 1_000))
  return !textFormats.has(ext)
}

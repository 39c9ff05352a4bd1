/** In bytes of UTF-8: file systems allow 255, and browsers add a number or `.crdownload`. */
const longestName = 200
const longestExtension = 20

/**
 * A name that a file system and a reader can take as it looks: control characters and characters that change the
 * direction of text are removed (they make `gnp.exe` look like `exe.png`), separators of paths are replaced.
 */
export function safeName(filename: string): string {
  const name = filename
    .replace(/\p{Cs}/gu, '_')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim()
  if (/^[. ]*$/.test(name)) return 'file'
  if (Buffer.byteLength(name) <= longestName) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= longestExtension ? name.slice(dot) : ''
  const stem = name.slice(0, name.length - extension.length)
  return startOf(stem, longestName - Buffer.byteLength(extension)).trimEnd() + extension
}

/** The longest beginning of whole characters that has at most this number of bytes. */
function startOf(text: string, bytes: number): string {
  let start = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    start += character
  }
  return start
}

/** Dots, spaces and characters without a width. */
const ignoredAtEnd = /[.\s\u00ad\u200b-\u200f\u2060-\u2064]+$/

/**
 * The extension that Windows goes by: after the last dot, in lower case. Windows ignores dots and spaces at the end,
 * and `.exe` alone has an extension, too; `:` begins the name of a stream of the same file. Empty if the name has none.
 */
export function extensionOf(filename: string): string {
  const name = safeName(filename.replace(/:.*$/s, '').replace(/[/\\]+$/, '')).replace(ignoredAtEnd, '')
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}

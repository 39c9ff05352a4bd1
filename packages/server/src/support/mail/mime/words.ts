import { decodeWords as decodeKnownWords } from 'postal-mime'
import { decoderOf, isAscii, type Warning } from './charsets.ts'

/** The charset of an encoded word, and what follows up to its content. */
const charsetOfWord = /=\?([^?\s*]+)((?:\*[^?\s]*)?\?[QqBb]\?)/g

/** Decodes the encoded words of a header (RFC 2047). */
export const decodeWords = (value: string, warnings: Set<Warning>): string =>
  value.includes('=?') ? decodeKnownWords(withKnownCharsets(value, warnings)) : value

/** Names a charset that can be decoded in each encoded word: for an unknown one UTF-8, else windows-1252. */
export function withKnownCharsets(value: string, warnings: Set<Warning>): string {
  if (!value.includes('=?')) return value
  const names = new Map<string, string | null>()
  let hasGuessed = false
  const nameOf = (label: string) => {
    const name = isAscii(label) ? null : (decoderOf(label)?.encoding ?? null)
    if (!name && !isAscii(label)) warnings.add('charset_unknown')
    hasGuessed ||= !name
    names.set(label, name)
    return name
  }
  const named = (byDefault: string) =>
    value.replace(charsetOfWord, (_, label: string, rest: string) => {
      const name = names.has(label) ? names.get(label) : nameOf(label)
      return `=?${name ?? byDefault}${rest}`
    })
  const inUtf8 = named('utf-8')
  return hasGuessed && decodeKnownWords(inUtf8).includes('\ufffd') ? named('windows-1252') : inUtf8
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced
const controls = /[\u0000-\u001f\u007f]+/g

/** A text for one line: NUL characters are removed, other control characters become spaces. */
export const toOneLine = (text: string): string => text.replaceAll('\0', '').replace(controls, ' ').trim()

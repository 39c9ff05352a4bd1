/** Codes of what readEmail had to repair or leave as it is. */
export type Warning = 'charset_unknown' | 'headers_truncated' | 'encrypted' | 'tnef'

/** Labels that mail programs write and the Encoding Standard of WHATWG does not list. */
const aliases: Record<string, string> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'windows-936': 'gbk',
}

/** Decoders by their labels. Labels without a decoder are not kept, so their number is bounded. */
const decoders = new Map<string, TextDecoder>()

/** The decoder of a charset, or null for a label of none. Decoders of the replacement encoding do not exist. */
export function decoderOf(label: string): TextDecoder | null {
  const name = label.trim().toLowerCase()
  const known = decoders.get(name)
  if (known) return known
  try {
    const decoder = new TextDecoder(aliases[name] ?? name)
    decoders.set(name, decoder)
    return decoder
  } catch {
    return null
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

/** Bytes without a charset: UTF-8 if they are valid, else windows-1252, which has a character for each byte. */
export function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

/** US-ASCII has no characters beyond 127, so such bytes are of another charset. */
export const isAscii = (label: string): boolean => /^(us-)?ascii$/i.test(label.trim())

/** @param label the charset that the mail declares; null if it declares none */
export function decodeText(bytes: Uint8Array, label: string | null, warnings: Set<Warning>): string {
  if (!label?.trim() || isAscii(label)) return decodeUnlabelled(bytes)
  const decoder = decoderOf(label)
  if (decoder) return decoder.decode(bytes)
  warnings.add('charset_unknown')
  return decodeUnlabelled(bytes)
}

/** True for charsets in which a byte of 10 or 13 can be a part of another character. */
export const isWide = (label: string | null): boolean =>
  (label && decoderOf(label)?.encoding.startsWith('utf-16')) || false

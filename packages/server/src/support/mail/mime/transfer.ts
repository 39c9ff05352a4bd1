export type TransferEncoding = 'base64' | 'quoted-printable' | 'none'

/** Unknown encodings leave the bytes as they are. */
export function transferEncodingOf(header: string): TransferEncoding {
  const name = header.slice(0, 1000).toLowerCase()
  if (/base-?64/.test(name)) return 'base64'
  return /quoted[-_ ]?printable/.test(name) ? 'quoted-printable' : 'none'
}

/** Takes decoded bytes. Their buffer is used again after the call. */
type Sink = (bytes: Uint8Array) => void

/** Decodes in pieces of at most 64 KiB. */
export function decodeTransfer(source: Uint8Array, encoding: TransferEncoding, sink: Sink): void {
  if (encoding === 'none') sink(source)
  else (encoding === 'base64' ? decodeBase64 : decodeQuotedPrintable)(source, output(sink))
}

/** The whole decoded content, in memory outside of the JavaScript heap. */
export function decodedBytes(source: Uint8Array, encoding: TransferEncoding): Uint8Array {
  if (encoding === 'none') return source
  const target = new Uint8Array(source.length)
  let length = 0
  decodeTransfer(source, encoding, (bytes) => {
    target.set(bytes, length)
    length += bytes.length
  })
  return target.subarray(0, length)
}

type Output = { push(byte: number): void; end(): void }

function output(sink: Sink): Output {
  const buffer = new Uint8Array(65_536)
  let length = 0
  const flush = () => {
    if (length > 0) sink(buffer.subarray(0, length))
    length = 0
  }
  return {
    push(byte) {
      if (length === buffer.length) flush()
      buffer[length++] = byte
    },
    end: flush,
  }
}

const equals = 0x3d
const sextets = new Int8Array(256).fill(-1)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  sextets[character.charCodeAt(0)] = value

/** True for the bytes of Base64: its alphabet, padding and white space. */
export const isBase64Byte = (byte: number): boolean =>
  sextets[byte]! >= 0 || byte === equals || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Skips bytes outside of the alphabet. Padding ends a unit, also within the text: some programs pad each line. */
function decodeBase64(source: Uint8Array, target: Output): void {
  let bits = 0
  let count = 0
  for (let i = 0; i < source.length; i++) {
    const byte = source[i]!
    const sextet = sextets[byte]!
    if (byte === equals) count = 0
    if (sextet < 0) continue
    bits = ((bits << 6) | sextet) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    target.push((bits >> count) & 0xff)
  }
  target.end()
}

/** Leaves an equals sign without two hexadecimal digits as it is, unless it ends a line. */
function decodeQuotedPrintable(source: Uint8Array, target: Output): void {
  for (let i = 0; i < source.length; i++) {
    const byte = source[i]!
    if (byte !== equals) {
      target.push(byte)
      continue
    }
    const high = hexDigits[source[i + 1] ?? 0]!
    const low = hexDigits[source[i + 2] ?? 0]!
    if (high >= 0 && low >= 0) {
      target.push((high << 4) | low)
      i += 2
    } else {
      const next = afterSoftBreak(source, i + 1)
      if (next === null) target.push(byte)
      else i = next - 1
    }
  }
  target.end()
}

const hexDigits = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** The first byte of the next line if only white space is left of this one; else null. */
function afterSoftBreak(source: Uint8Array, start: number): number | null {
  let at = start
  while (source[at] === 0x20 || source[at] === 0x09 || source[at] === 0x0d) at++
  if (at >= source.length) return at
  return source[at] === 0x0a ? at + 1 : null
}

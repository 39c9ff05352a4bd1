/*
 * SHA-256 (FIPS 180-4) of bytes as they arrive. The digest of Web Crypto takes all bytes at once, and does not exist in
 * pages without TLS.
 */

const blockBytes = 64

const fractionOf = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32)
const primes = firstPrimes(64)
/** The fractions of the cube roots and square roots of the first primes. */
const constants = Int32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)))
const initial = primes.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)))

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** @returns hexadecimal digits */
export async function sha256Of(bytes: Blob): Promise<string> {
  const state = Int32Array.from(initial)
  const block = new Uint8Array(blockBytes)
  let filled = 0
  const reader = bytes.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const piece: Uint8Array = next.value
    let at = 0
    while (at < piece.length) {
      if (filled === 0 && piece.length - at >= blockBytes) {
        compress(state, piece, at)
        at += blockBytes
        continue
      }
      const taken = piece.subarray(at, at + blockBytes - filled)
      block.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < blockBytes) continue
      compress(state, block, 0)
      filled = 0
    }
  }
  for (const last of padded(block.subarray(0, filled), bytes.size)) compress(state, last, 0)
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The last one or two blocks: the rest, one bit, and the number of bits. */
function padded(rest: Uint8Array, size: number): Uint8Array[] {
  const end = new Uint8Array(rest.length < blockBytes - 8 ? blockBytes : 2 * blockBytes)
  end.set(rest)
  end[rest.length] = 0x80
  new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(size) * 8n)
  return end.length === blockBytes ? [end] : [end.subarray(0, blockBytes), end.subarray(blockBytes)]
}

const words = new Int32Array(64)

/** Takes 64 bytes, those after `at`, into the state. */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const j = at + 4 * i
    words[i] = (bytes[j]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + 2]! << 8) | bytes[j + 3]!
  }
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15]!, words[i - 2]!]
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + value
}

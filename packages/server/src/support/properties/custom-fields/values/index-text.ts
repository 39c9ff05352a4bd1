import type { Value } from './queries.ts'

/** An index entry is shorter than 2,700 bytes, and a character has up to four. */
const maxIndexedCharacters = 200

/** The beginning of a text that the index has. */
export const indexedText = (text: string): string =>
  [...text.slice(0, 2 * maxIndexedCharacters)].slice(0, maxIndexedCharacters).join('')

/** The texts under which the index has a value. Their order in bytes is the order of the values. */
export function indexTexts(value: Value): string[] {
  if (Array.isArray(value)) return [...new Set(value.map(indexedText))]
  return [typeof value === 'number' ? orderedDigits(value) : indexedText(String(value))]
}

/** Sixteen hexadecimal digits whose order is the order of the numbers (IEEE 754: sign, exponent, fraction). */
export function orderedDigits(number: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number === 0 ? 0 : number) // -0 equals 0
  const bits = view.getBigUint64(0)
  const isNegative = bits >> 63n === 1n
  const ordered = isNegative ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

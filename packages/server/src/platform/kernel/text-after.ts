const last = 0x10_ffff

/**
 * The first text, in the order of code points, after all texts that start with a text; null if there is none, because
 * the text is empty or consists of the last code point. In UTF-8, the order of bytes is the same.
 */
export function textAfter(start: string): string | null {
  const points = Array.from(start, (character) => character.codePointAt(0)!)
  while (points.at(-1) === last) points.pop()
  const point = points.pop()
  if (point === undefined) return null
  const next = point === 0xd7ff ? 0xe000 : point + 1 // no surrogates
  return String.fromCodePoint(...points, next)
}

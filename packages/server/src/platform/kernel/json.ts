/**
 * JSON in the canonical form of RFC 8785, without white space and with sorted members. Equal values have equal texts.
 * The depth of the value must be bounded, as that of bodies is.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value as Record<string, unknown>)
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The size of a JSON text. That of an invalid one is of no use, and does not tell that it is invalid. */
export type JsonShape = {
  /** The members of all objects, and of the largest one. */
  members: number
  membersOfOne: number
  /** Members and items, counted from their separators: at most one more than these for the text as a whole. */
  values: number
  /** The levels of lists and objects. */
  levels: number
}

/** `levels` is a small number. */
export type JsonLimits = { values: number; membersOfOne: number; levels: number }

/**
 * Scans a JSON text in UTF-8, and stops as soon as it exceeds one of the limits.
 * Strings are skipped; outside of them, the characters of the syntax are bytes of their own.
 */
export function shapeOfJson(text: Uint8Array, most: JsonLimits): JsonShape {
  let [members, membersOfOne, values, levels, level] = [0, 0, 1, 0, 0]
  /** The members of the object at each level so far. */
  const own = new Uint32Array(most.levels + 2)
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case quote:
        for (i++; i < text.length && text[i] !== quote; i++) if (text[i] === backslash) i++
        break
      case colon:
        members++
        membersOfOne = Math.max(membersOfOne, ++own[level]!)
        if (membersOfOne > most.membersOfOne) return { members, membersOfOne, values, levels }
        break
      case comma:
        if (++values > most.values) return { members, membersOfOne, values, levels }
        break
      case openList:
      case openObject:
        if (++values > most.values) return { members, membersOfOne, values, levels }
        own[++level] = 0
        if (level > levels) levels = level
        if (levels > most.levels) return { members, membersOfOne, values, levels }
        break
      case closeList:
      case closeObject:
        level--
    }
  }
  return { members, membersOfOne, values, levels }
}

/**
 * True if an object of the text has two members of one name, which RFC 8259 section 4 leaves undefined: `JSON.parse`
 * keeps the last one. Each member of the text has one colon outside of strings.
 * @param value the parsed text; its depth is bounded
 */
export const hasRepeatedMember = ({ members }: JsonShape, value: unknown): boolean =>
  countMembers(value) < members

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce((sum, each) => sum + countMembers(each), Array.isArray(value) ? 0 : inside.length)
}

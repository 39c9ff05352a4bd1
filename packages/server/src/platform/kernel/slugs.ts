import { nameKey } from './names.ts'

export const maxSlugLength = 100

/** The slug of a name or title: its words, joined by hyphens. Empty if the text has no letter or digit. */
export const slugOf = (title: string): string => {
  const words = nameKey(title)
    .replaceAll('i\u0307', 'i') // the folded form of İ
    .matchAll(/[\p{L}\p{N}\p{M}]+/gu)
  return cut([...words].map(([word]) => word).join('-'), maxSlugLength)
}

/** An alternative to a slug that is in use: it ends with a part of the object's id. */
export const slugBeside = (taken: string, id: string): string => {
  const own = slugOfId(id)
  return `${cut(taken, maxSlugLength - 1 - own.length)}-${own}`
}

/** The slug of an object whose name has no letter or digit. */
export const slugOfId = (id: string): string => id.slice(-12)

/** Truncates a slug. The result ends neither in a hyphen nor in half a character. */
const cut = (slug: string, length: number): string =>
  slug
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/-$/, '')

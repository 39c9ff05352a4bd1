import { nameKey } from './names.ts'

export const maxSlugLength = 100

/** A slug for a name or a title: its words, joined by hyphens. Empty where there is no letter or digit. */
export const slugOf = (title: string): string => {
  const words = nameKey(title)
    .replaceAll('i\u0307', 'i') // what becomes of İ
    .matchAll(/[\p{L}\p{N}\p{M}]+/gu)
  return cut([...words].map(([word]) => word).join('-'), maxSlugLength)
}

/** A slug beside one that is taken: with the end of the id of what it is for. */
export const slugBeside = (taken: string, id: string): string => {
  const own = slugOfId(id)
  return `${cut(taken, maxSlugLength - 1 - own.length)}-${own}`
}

/** A slug for what has no letter or digit in its name. */
export const slugOfId = (id: string): string => id.slice(-12)

/** The beginning of a slug, which ends neither in a hyphen nor in half a character. */
const cut = (slug: string, length: number): string =>
  slug
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/-$/, '')

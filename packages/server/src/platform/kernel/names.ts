/**
 * Prefixes a noun with its article: `an operator`, `an SLA config`. It does not support `a user`; no resource needs
 * it.
 */
export const withArticle = (noun: string): string =>
  `${/^([aeiou]|API|SLA|FAQ)/.test(noun) ? 'an' : 'a'} ${noun}`

/** The noun of a resource type in sentences: `hold_reason` is a hold reason, `sla_config` an SLA config. */
export const nounOf = (type: string): string =>
  type.replaceAll('_', ' ').replace(/^(api|sla|faq|kb)\b/, (letters) => letters.toUpperCase())

/**
 * The key that equal names share: it ignores case, width, composition of characters and surrounding spaces. `STRASSE`
 * and `straße` are one name, and so are `Σίσυφος` and `ΣΊΣΥΦΟΣ` (upper case first unites more).
 */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC')

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

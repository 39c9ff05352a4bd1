/** Longer texts are pasted messages rather than searches. */
export const maxQueryLength = 100

/** Six digits without a letter between them: numbers of telephones, cards, orders, and dates. */
const longNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){5}/u
/** An id, a key or a code. */
const isCode = (word: string): boolean => word.length >= 16 && /\p{Nd}/u.test(word)

/**
 * The form in which a query is counted: spaces joined, in lower case. Null for a query that is not kept, because it is
 * too long or may be about a person.
 */
export function keptQuery(query: string): string | null {
  const kept = query
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toLowerCase()
  if (kept === '' || kept.length > maxQueryLength) return null
  const plain = kept.normalize('NFKC') // one form of full-width and other variants
  const isPersonal = plain.includes('@') || longNumber.test(plain) || plain.split(' ').some(isCode)
  return isPersonal ? null : kept
}

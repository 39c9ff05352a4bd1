/** `an operator`, `a user` is beyond it: none of our nouns begins so. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/**
 * What makes two names the same: letter case, width and composition of characters do not count, nor spaces around.
 * `STRASSE` and `straße` are one name, and so are `Σίσυφος` and `ΣΊΣΥΦΟΣ` (upper case first, since it unites more).
 */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC')

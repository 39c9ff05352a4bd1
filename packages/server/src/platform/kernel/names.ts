/** `an operator`, `an SLA config`; `a user` is beyond it: none of our nouns begins so. */
export const withArticle = (noun: string): string => `${/^([aeiou]|SLA|FAQ)/.test(noun) ? 'an' : 'a'} ${noun}`

/** How sentences name a type of resource: `hold_reason` is a hold reason, `sla_config` an SLA config. */
export const nounOf = (type: string): string =>
  type.replaceAll('_', ' ').replace(/^(sla|faq|kb)\b/, (letters) => letters.toUpperCase())

/**
 * What makes two names the same: letter case, width and composition of characters do not count, nor spaces around.
 * `STRASSE` and `straße` are one name, and so are `Σίσυφος` and `ΣΊΣΥΦΟΣ` (upper case first, since it unites more).
 */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC')

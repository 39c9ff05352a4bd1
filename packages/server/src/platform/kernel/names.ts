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

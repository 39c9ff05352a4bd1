import { type Language, languages } from './define.ts'

type Forms = { other: string } & { [Form in Intl.LDMLPluralRule]?: string }

const rules = new Map(languages.map((each) => [each, new Intl.PluralRules(each)]))
const numbers = new Map(languages.map((each) => [each, new Intl.NumberFormat(each)]))

/** The form of a text that its language has for a number. `#` is the number. */
export const plural = (language: Language, count: number, forms: Forms): string =>
  (forms[rules.get(language)!.select(count)] ?? forms.other).replace(
    '#',
    numbers.get(language)!.format(count),
  )

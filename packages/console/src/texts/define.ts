import { common } from './common.ts'
import { textAt } from './german.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The language of the page, where no component is. Tests without a browser have no document. */
export function languageOfPage(): Language {
  const { document } = globalThis as { document?: { documentElement: { lang: string } } }
  return languages.find((language) => language === document?.documentElement.lang) ?? 'en'
}

/** The form of the language that the reader's browser asks for: British English has other dates than American. */
export const localeOf = (language: string): string =>
  globalThis.navigator?.languages?.find((tag) => tag === language || tag.startsWith(`${language}-`)) ??
  language

type Words = string | ((...values: never[]) => string)
type Alike<W> = W extends string ? string : W

export type Texts<Names extends Record<string, Words>> = {
  [Name in keyof Names]: { en: Names[Name]; de: Alike<Names[Name]> }
}

/** Names of values, such as those of an enumeration, in all languages. */
export const defineNames = <const Names extends Record<string, Words>>(names: Texts<Names>): Texts<Names> =>
  names

/**
 * The texts of an area of the page, in all languages side by side, so that none is forgotten, and the common ones. A
 * text of the area with the name of a common one takes its place.
 */
export const defineTexts = <const Names extends Record<string, Words>>(
  texts: Texts<Names>,
): Omit<typeof common, keyof Names> & Texts<Names> => ({ ...common, ...texts })

export type TextsIn<Defined> =
  Defined extends Texts<infer Names> ? { [Name in keyof Names]: Alike<Names[Name]> } : never

const chosen = new WeakMap<object, Map<Language, object>>()

export function textsIn<Names extends Record<string, Words>>(
  texts: Texts<Names>,
  language: Language,
): { [Name in keyof Names]: Alike<Names[Name]> } {
  const made = chosen.get(texts) ?? new Map<Language, object>()
  chosen.set(texts, made)
  const known =
    made.get(language) ??
    Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, textAt(each[language])]))
  made.set(language, known)
  return known as never
}

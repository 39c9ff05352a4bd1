import { ApiError } from './errors.ts'

/** Language tags are compared case-insensitively. */
export const localeKey = (locale: string): string => locale.toLowerCase()

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** Is this well-formed tag (RFC 5646) a tag of a known language? */
export function isKnownLocale(locale: string): boolean {
  try {
    const [language] = Intl.getCanonicalLocales(locale)
    return languages.of(language!.split('-')[0]!) !== undefined
  } catch {
    return false
  }
}

export const unknownLocale = { code: 'not_allowed', detail: 'must be a known language' } as const

/** @throws ApiError 400 for a filter by an unknown language */
export function requireKnownLocale(locale: string | undefined): void {
  if (locale === undefined || isKnownLocale(locale)) return
  throw new ApiError('invalid_query', {}, { errors: [{ parameter: 'locale', ...unknownLocale }] })
}

/** A language tag and its fallbacks: `zh-Hant-TW`, then `zh-Hant`, then `zh` (RFC 4647 section 3.4). */
export function* fallbacks(locale: string | null): Iterable<string> {
  const parts = locale?.split('-') ?? []
  while (parts.length > 0) {
    yield parts.join('-')
    parts.pop()
    // A single letter introduces the subtag that was just removed.
    if (parts.length > 1 && parts.at(-1)!.length === 1) parts.pop()
  }
}

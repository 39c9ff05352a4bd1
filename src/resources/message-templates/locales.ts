import type { MessageTemplate, Variant } from './queries.ts'

/** The body for a language: `zh-Hant-TW`, then `zh-Hant`, then `zh` (RFC 4647 section 3.4), else the template's own. */
export function bodyFor(
  { locale: own, body, variants }: Pick<MessageTemplate, 'locale' | 'body' | 'variants'>,
  wanted: string | null,
): { locale: string | null; body: string } {
  const bodies: Variant[] = own === null ? variants : [{ locale: own, body }, ...variants]
  for (const locale of fallbacks(wanted)) {
    const found = bodies.find((each) => sameLocale(each.locale, locale))
    if (found) return found
  }
  return { locale: own, body }
}

/** Language tags are compared without regard to case. */
export const sameLocale = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function* fallbacks(locale: string | null): Iterable<string> {
  const parts = locale?.split('-') ?? []
  while (parts.length > 0) {
    yield parts.join('-')
    parts.pop()
    // A single letter introduces what was just taken away.
    if (parts.length > 1 && parts.at(-1)!.length === 1) parts.pop()
  }
}

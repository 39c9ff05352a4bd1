import { fallbacks, localeKey } from '../../../platform/kernel/locales.ts'
import type { MessageTemplate, Variant } from './queries.ts'

/** The body for a language or its fallbacks, otherwise the template's own. */
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

export const sameLocale = (one: string, other: string): boolean => localeKey(one) === localeKey(other)

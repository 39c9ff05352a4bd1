import { useMemo } from 'react'
import { useLanguage } from './language.tsx'

/** The name of a language, such as `Portuguese (Brazil)`; its tag if it has no name. */
export function useLocaleName(): (locale: string) => string {
  const { language } = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'language' })
    return (locale) => {
      try {
        return names.of(locale) ?? locale
      } catch {
        return locale
      }
    }
  }, [language])
}

/** Offered in addition to the locales in use. */
const common = 'en de fr es it pt nl pl sv da fi nb cs tr uk ar ja zh'.split(' ')

export const offeredLocales = (used: string[]): string[] => [...new Set([...used, ...common])]

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { type Language, languages, type Texts, textsIn } from './define.ts'

const storedAs = 'backline.language'

const Chosen = createContext<{ language: Language; choose(language: Language): void }>({
  language: 'en',
  choose: () => undefined,
})

/** The stored choice, or the first language of the browser that there is. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(storedAs), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return (
    languages.find((language) => language === wanted.find((each) => languages.includes(each as never))) ??
    'en'
  )
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () => ({
      language,
      choose(next: Language) {
        localStorage.setItem(storedAs, next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <Chosen.Provider value={value}>{children}</Chosen.Provider>
}

export const useLanguage = () => useContext(Chosen)

export function useTexts<Names extends Parameters<typeof textsIn>[0]>(texts: Names) {
  return textsIn(texts as never, useLanguage().language) as Names extends Texts<infer Words>
    ? { [Name in keyof Words]: Words[Name] extends string ? string : Words[Name] }
    : never
}

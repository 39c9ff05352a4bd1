import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { readDataFile } from '../browser/data-file.ts'
import { type Language, languageOfPage, languages, type Texts, textsIn } from './define.ts'
import { german } from './german.ts'

const storedAs = 'backline.language'

let wanted: Language | undefined

/** Makes a language that of the page, unless another is wanted meanwhile. @throws if its words cannot be loaded */
export async function speak(language: Language): Promise<void> {
  wanted = language
  if (language === 'de' && globalThis.germanFile)
    german.words ??= await readDataFile<string[]>(globalThis.germanFile)
  if (wanted === language) document.documentElement.lang = language
}

const Chosen = createContext({
  language: 'en' as Language,
  /** The language stays if its words cannot be loaded. @throws then */
  choose: speak,
})

/** The stored choice, or the first language of the browser that there is. */
export function firstLanguage(): Language {
  const wanted = [localStorage.getItem(storedAs), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return (
    languages.find((language) => language === wanted.find((each) => languages.includes(each as never))) ??
    'en'
  )
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(languageOfPage)
  const value = useMemo(
    () => ({
      language,
      async choose(next: Language) {
        await speak(next)
        localStorage.setItem(storedAs, languageOfPage())
        setLanguage(languageOfPage())
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

import { useId } from 'react'
import { TextField } from '../../design/Field.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { offeredLocales, useLocaleName } from '../../texts/locales.ts'
import { useArticles } from './articles.ts'

type LocaleFieldProps = {
  value: string
  onChange(locale: string): void
  error?: string | undefined
  disabled?: boolean
  required?: boolean
}

/** A language as a BCP 47 tag, with those in use and common ones as suggestions. */
export function LocaleField({ value, onChange, ...rest }: LocaleFieldProps) {
  const text = useTexts(common)
  const listId = useId()
  const nameOf = useLocaleName()
  const { articles } = useArticles()
  return (
    <>
      <TextField
        label={text.language}
        hint={value && nameOf(value)}
        list={listId}
        maxLength={35}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
        {...rest}
      />
      <datalist id={listId}>
        {offeredLocales(articles.map(({ locale }) => locale)).map((locale) => (
          <option key={locale} value={locale}>
            {nameOf(locale)}
          </option>
        ))}
      </datalist>
    </>
  )
}

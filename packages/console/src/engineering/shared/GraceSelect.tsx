import { Select } from '../../design/Field.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type GraceProps = {
  label: string
  seconds: number
  choices: number[]
  error?: string | null
  onChange(seconds: number): void
}

/** For how long the previous secret stays valid. */
export function GraceSelect({ label, seconds, choices, error, onChange }: GraceProps) {
  const text = useTexts(texts)
  const { duration } = useFormats()
  return (
    <Select
      label={label}
      value={String(seconds)}
      error={error}
      onChange={(event) => onChange(Number(event.target.value))}
      options={choices.map((each) => ({
        value: String(each),
        label: each === 0 ? text.notAtAll : duration(each),
      }))}
    />
  )
}

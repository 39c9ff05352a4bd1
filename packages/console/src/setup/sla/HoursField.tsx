import { useEffect, useRef, useState } from 'react'
import { TextField } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { intervalsOf } from './week.ts'

type HoursFieldProps = {
  label: string
  value: string
  placeholder: string
  onChange(hours: NonNullable<ReturnType<typeof intervalsOf>>): void
}

/** The hours of a day as a text, taken over when the field is left or Enter is pressed. */
export function HoursField({ label, value, placeholder, onChange }: HoursFieldProps) {
  const text = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const hours = typed === null ? null : intervalsOf(typed)
  const isWrong = typed !== null && hours === null
  useEffect(() => input.current?.setCustomValidity(isWrong ? text.notHours : ''), [isWrong, text])
  function take(): void {
    if (typed === null || !hours) return
    setTyped(null)
    if (typed !== value) onChange(hours)
  }
  return (
    <TextField
      ref={input}
      label={label}
      hideLabel
      autoComplete="off"
      placeholder={placeholder}
      aria-invalid={isWrong}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isWrong) return
        event.preventDefault()
        take()
      }}
    />
  )
}

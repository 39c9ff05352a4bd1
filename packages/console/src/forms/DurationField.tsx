import { type ReactNode, useEffect, useRef, useState } from 'react'
import { TextField } from '../design/Field.tsx'
import { useTexts } from '../texts/language.tsx'
import { durationOf, secondsOf } from './duration.ts'
import { texts } from './texts.ts'

type DurationFieldProps = {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | undefined
  /** In seconds. */
  value: number | null
  onChange(value: number | null): void
  placeholder?: string
  required?: boolean
}

/** A duration as people write it. A text that is no duration keeps the form from being sent. */
export function DurationField({ value, onChange, ...rest }: DurationFieldProps) {
  const text = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value === null ? '' : durationOf(value))
  const read = typed.trim() === '' ? null : secondsOf(typed)
  const isWrong = typed.trim() !== '' && read === null
  // A value from elsewhere replaces what was typed, unless both mean the same.
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    if (value !== read) setTyped(value === null ? '' : durationOf(value))
  }
  useEffect(() => input.current?.setCustomValidity(isWrong ? text.notDuration : ''), [isWrong, text])
  return (
    <TextField
      {...rest}
      ref={input}
      hideLabel={rest.hideLabel ?? false}
      value={typed}
      autoComplete="off"
      onChange={(event) => {
        setTyped(event.target.value)
        const next = event.target.value.trim() === '' ? null : secondsOf(event.target.value)
        setKnown(next)
        onChange(next)
      }}
      onBlur={() => read !== null && setTyped(durationOf(read))}
    />
  )
}

import { type FocusEvent, type FormEvent, useEffect, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Words = ReturnType<typeof useTexts<typeof texts>>

/** The fault of a control by its own constraints, in our words. */
function ownFault(control: Control, text: Words): string {
  const { validity, validationMessage } = control
  const { type, min, max } = control as HTMLInputElement
  if (validity.customError) return validationMessage
  if (validity.valueMissing) return control.matches('select') ? text.notChosen : text.missing
  if (validity.badInput) return text.noNumber
  if (validity.typeMismatch) return type === 'email' ? text.noEmail : text.noUrl
  if (validity.rangeUnderflow) return text.atLeast(min)
  if (validity.rangeOverflow) return text.atMost(max)
  if (validity.stepMismatch) return text.noWhole
  return validationMessage
}

const isControl = (target: EventTarget): target is Control =>
  (target as Element).matches('input, select, textarea')

/** Whether no control before this one has a fault. */
const isFirst = (control: Control, faulty: string): boolean =>
  control.form?.querySelector(`:is(input, select, textarea)${faulty}`) === control

/**
 * The fault that a control shows. A refusal stays until the value is another one. Constraints are judged when the form
 * is sent, and a filled control also when it is left; the bubble of the browser never shows. The first control with a
 * fault gets the focus.
 * @param value undefined if the control keeps its value itself
 */
export function useFault(id: string, error: string | null | undefined, value: unknown) {
  const text = useTexts(texts)
  const [edits, setEdits] = useState(0)
  const key = JSON.stringify(value) ?? String(edits)
  const [seen, setSeen] = useState({ error, key, judged: null as string | null })
  const [own, setOwn] = useState({ fault: '', key })
  // What appears together with another value, such as the fault of a filter as one types, is judged each time.
  if (error !== seen.error || key !== seen.key)
    setSeen({
      error,
      key,
      judged: error === seen.error ? seen.judged : key === seen.key ? key : null,
    })
  const isOf = (judged: string | null) => judged === null || judged === key
  const refusal = isOf(seen.judged) ? error : null

  useEffect(() => {
    if (!refusal) return
    const control = document.getElementById(id) as Control | null
    const { activeElement } = document
    const isHere =
      activeElement === document.body || (activeElement as Control | null)?.form === control?.form
    if (control?.form && isHere && isFirst(control, '[aria-invalid=true]')) control.focus()
  }, [id, refusal])

  return {
    fault: refusal || (own.key === key ? own.fault : ''),
    events: {
      onInvalidCapture(event: FormEvent) {
        const control = event.target as Control
        event.preventDefault()
        setOwn({ fault: ownFault(control, text), key })
        if (isFirst(control, ':invalid')) control.focus()
      },
      onBlurCapture({ target }: FocusEvent) {
        if (!isControl(target)) return
        const judge = () => {
          const { valid, valueMissing } = target.validity
          if (target.willValidate && !valid && !valueMissing) setOwn({ fault: ownFault(target, text), key })
        }
        // A fault moves what is below it: a button that is being pressed gets its click first.
        if (document.querySelector(':active'))
          addEventListener('pointerup', () => setTimeout(judge), { once: true })
        else judge()
      },
      ...(value === undefined && { onInputCapture: () => setEdits(edits + 1) }),
    },
  }
}

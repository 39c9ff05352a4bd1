import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Select } from '../../design/Field.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { useSubmit } from './use-submit.ts'

type RotateProps = {
  words: { title: string; text: string; grace: string; action: string; failed: string }
  /** How many seconds the previous secret can stay valid. */
  graces: number[]
  usualGrace: number
  refresh: QueryKey
  rotate(body: { grace_seconds: number }): PromiseLike<{ secret: string }>
  onClose(): void
  onRotated(secret: string): void
}

/** Replaces a secret by a new one. The previous one stays valid for a time. */
export function RotateDialog({
  words,
  graces,
  usualGrace,
  refresh,
  rotate,
  onClose,
  onRotated,
}: RotateProps) {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const [grace, setGrace] = useState(usualGrace)
  const { isPending, submit, faultOf } = useSubmit({
    failed: words.failed,
    refresh: [refresh],
    fields: ['grace_seconds'],
  })
  const run = () =>
    submit(
      () => rotate({ grace_seconds: grace }),
      ({ secret }) => onRotated(secret),
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" disabled={isPending} onClick={() => void run()}>
            {words.action}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      <Select
        label={words.grace}
        value={String(grace)}
        error={faultOf('/grace_seconds')}
        onChange={(event) => setGrace(Number(event.target.value))}
        options={graces.map((each) => ({
          value: String(each),
          label: each === 0 ? text.notAtAll : duration(each),
        }))}
      />
    </Dialog>
  )
}

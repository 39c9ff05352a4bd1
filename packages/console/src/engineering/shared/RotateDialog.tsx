import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select } from '../../design/Field.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type RotateProps = {
  labels: { title: string; text: string; grace: string; action: string; failed: string }
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
  labels,
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
  const write = useWrite({
    run: () => rotate({ grace_seconds: grace }),
    refresh: [refresh],
    failed: labels.failed,
    fields: ['grace_seconds'],
    onDone: ({ secret }) => onRotated(secret),
  })
  return (
    <ActionDialog
      title={labels.title}
      action={labels.action}
      isDisabled={write.isPending}
      onSubmit={write.mutate}
      onClose={onClose}
    >
      <p>{labels.text}</p>
      <Select
        label={labels.grace}
        value={String(grace)}
        error={write.faults.at('/grace_seconds')}
        onChange={(event) => setGrace(Number(event.target.value))}
        options={graces.map((each) => ({
          value: String(each),
          label: each === 0 ? text.notAtAll : duration(each),
        }))}
      />
    </ActionDialog>
  )
}

import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { useToast } from '../../design/Toast.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { useEnvironmentNow } from '../shared/clock.ts'
import { useSubmit } from '../shared/use-submit.ts'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

const hourMs = 3_600_000

export function Recover({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const text = useTexts(texts)
  const formId = useId()
  const toast = useToast()
  const { backline } = useEnvironment()
  const nowMs = useEnvironmentNow()
  const [since, setSince] = useState(() => toLocal(nowMs - hourMs, 'second'))
  const { isPending, submit, faultOf } = useSubmit({
    failed: text.recoverFailed,
    refresh: [endpointsKey],
    fields: ['since'],
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const instant = fromLocal(since)
    if (instant === null) return
    void submit(
      () => backline.webhookEndpoints.recover(endpointId, { since: instant }),
      ({ events }) => {
        toast.done({ title: text.recovered(events) })
        onClose()
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.recoverTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            look="primary"
            disabled={isPending || fromLocal(since) === null}
          >
            {text.recover}
          </Button>
        </>
      }
    >
      <p>{text.recoverText}</p>
      <form id={formId} onSubmit={onSubmit}>
        <TextField
          label={text.since}
          type="datetime-local"
          step="1"
          required
          value={since}
          max={toLocal(nowMs, 'second')}
          error={faultOf('/since')}
          onChange={(event) => setSince(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

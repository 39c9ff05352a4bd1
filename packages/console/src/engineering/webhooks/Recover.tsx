import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useEnvironmentNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { useToast } from '../../design/Toast.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

const hourMs = 3_600_000

export function Recover({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const nowMs = useEnvironmentNow()
  const [since, setSince] = useState(() => toLocal(nowMs - hourMs, 'second'))
  const instant = fromLocal(since)
  const recover = useWrite({
    run: (from: string) => backline.webhookEndpoints.recover(endpointId, { since: from }),
    refresh: [endpointsKey],
    failed: text.recoverFailed,
    fields: ['since'],
    onDone({ events }) {
      toast.done({ title: text.recovered(events) })
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.recoverTitle}
      action={text.recover}
      isDisabled={recover.isPending || instant === null}
      onSubmit={() => instant !== null && recover.mutate(instant)}
      onClose={onClose}
    >
      <p>{text.recoverText}</p>
      <DateField
        label={text.since}
        hasTime
        required
        value={since}
        max={toLocal(nowMs, 'second')}
        error={recover.faults.at('/since')}
        onChange={(event) => setSince(event.target.value)}
      />
    </ActionDialog>
  )
}

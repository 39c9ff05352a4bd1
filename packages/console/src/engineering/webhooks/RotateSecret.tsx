import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { GraceSelect } from '../shared/GraceSelect.tsx'
import { useSubmit } from '../shared/use-submit.ts'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

type RotateProps = { endpointId: string; onClose(): void; onRotated(secret: string): void }

export function RotateSecret({ endpointId, onClose, onRotated }: RotateProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [grace, setGrace] = useState(86_400)
  const { isPending, submit, faultOf } = useSubmit({
    failed: text.rotateFailed,
    refresh: [endpointsKey],
    fields: ['grace_seconds'],
  })
  const rotate = () =>
    submit(
      () => backline.webhookEndpoints.rotateSecret(endpointId, { grace_seconds: grace }),
      ({ secret }) => onRotated(secret),
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.rotate}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" disabled={isPending} onClick={() => void rotate()}>
            {text.rotate}
          </Button>
        </>
      }
    >
      <p>{text.rotateText}</p>
      <GraceSelect
        label={text.grace}
        seconds={grace}
        choices={[0, 3_600, 86_400, 259_200, 604_800]}
        error={faultOf('/grace_seconds')}
        onChange={setGrace}
      />
    </Dialog>
  )
}

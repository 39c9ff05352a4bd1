import type { ApiKey } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { GraceSelect } from '../shared/GraceSelect.tsx'
import { useSubmit } from '../shared/use-submit.ts'
import { texts } from './texts.ts'

type RotateProps = { apiKey: ApiKey; onClose(): void; onRotated(secret: string): void }

export function RotateApiKey({ apiKey, onClose, onRotated }: RotateProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [grace, setGrace] = useState(3_600)
  const { isPending, submit, faultOf } = useSubmit({
    failed: text.rotateFailed,
    refresh: [['api_keys']],
    fields: ['grace_seconds'],
  })
  const rotate = () =>
    submit(
      () => backline.apiKeys.rotate(apiKey.id, { grace_seconds: grace }),
      ({ secret }) => onRotated(secret),
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.rotateTitle(apiKey.name)}
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
        choices={[0, 60, 3_600, 86_400, 604_800]}
        error={faultOf('/grace_seconds')}
        onChange={setGrace}
      />
    </Dialog>
  )
}

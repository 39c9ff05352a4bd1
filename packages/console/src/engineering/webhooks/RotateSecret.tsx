import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { RotateDialog } from '../shared/RotateDialog.tsx'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

type RotateProps = { endpointId: string; onClose(): void; onRotated(secret: string): void }

export function RotateSecret({ endpointId, ...answers }: RotateProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return (
    <RotateDialog
      labels={{
        title: text.rotate,
        text: text.rotateText,
        grace: text.grace,
        action: text.rotate,
        failed: text.rotateFailed,
      }}
      graces={[0, 3_600, 86_400, 259_200, 604_800]}
      usualGrace={86_400}
      refresh={endpointsKey}
      rotate={(body) => backline.webhookEndpoints.rotateSecret(endpointId, body)}
      {...answers}
    />
  )
}

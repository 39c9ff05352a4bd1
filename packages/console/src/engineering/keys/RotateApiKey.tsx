import type { ApiKey } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { RotateDialog } from '../shared/RotateDialog.tsx'
import { texts } from './texts.ts'

type RotateProps = { apiKey: ApiKey; onClose(): void; onRotated(secret: string): void }

export function RotateApiKey({ apiKey, ...answers }: RotateProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return (
    <RotateDialog
      labels={{
        title: text.rotateTitle(apiKey.name),
        text: text.rotateText,
        grace: text.grace,
        action: text.rotate,
        failed: text.rotateFailed,
      }}
      graces={[0, 60, 3_600, 86_400, 604_800]}
      usualGrace={3_600}
      refresh={['api_keys']}
      rotate={(body) => backline.apiKeys.rotate(apiKey.id, body)}
      {...answers}
    />
  )
}

import { idleReason } from '../../data/automatic-reasons.ts'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useOwnStatus } from '../../data/own-status.ts'
import { Button } from '../../design/Button.tsx'
import { Stack } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'
import styles from './Status.module.css'
import { useSetOwnStatus } from './set-own-status.ts'

/** Tells members of departments that routing passes them over, and how to change that. */
export function StatusLine() {
  const text = useTexts(texts)
  const { operator } = useEnvironment()
  const { status } = useOwnStatus()
  const set = useSetOwnStatus()
  const { data } = useOperators()
  const isMember = data?.some(({ id, department_ids }) => id === operator.id && department_ids.length > 0)
  const isAwayByItself = status?.status === 'away' && status.reason === idleReason
  const isPassedOver = status && status.status !== 'online' && !isAwayByItself
  return (
    <div role="status">
      {isMember && isPassedOver && (
        <Stack gap={1} className={styles.line}>
          <p>{text.passedOver(text[status.status])}</p>
          <Button isSmall disabled={set.isPending} onClick={() => set.mutate('online')}>
            {text.goOnline}
          </Button>
        </Stack>
      )}
    </div>
  )
}

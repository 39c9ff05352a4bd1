import { useEnvironment } from '../../data/environment.tsx'
import { useOwnStatus } from '../../data/own-status.ts'
import { useWrite } from '../../data/write.ts'
import { useTexts } from '../../texts/language.tsx'
import type { OperatorStatus } from '../../texts/values.ts'
import { texts } from '../texts.ts'

/** Sets the status of the operator who has signed in, by hand. */
export function useSetOwnStatus() {
  const text = useTexts(texts)
  const { backline, operator } = useEnvironment()
  const { queryKey } = useOwnStatus()
  return useWrite({
    run: (status: OperatorStatus) => backline.operators.status.set(operator.id, { status }),
    refresh: [queryKey],
    failed: text.status,
  })
}

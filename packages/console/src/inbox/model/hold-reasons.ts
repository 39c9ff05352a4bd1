import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

export function useHoldReasons() {
  const { backline } = useEnvironment()
  return useAll(['hold_reasons'], () => backline.holdReasons.list({ limit: 100 }))
}

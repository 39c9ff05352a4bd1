import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useNow } from '../../data/now.ts'

export const testClockKey = ['test_clock']

/** The clock of the test environment; without data in the live one, which has none. */
export function useTestClock() {
  const { backline, name, can } = useEnvironment()
  return useQuery({
    queryKey: testClockKey,
    queryFn: () => backline.testClock.retrieve(),
    enabled: name === 'test' && can('workspace:read'),
  })
}

/** The time of the environment in Unix milliseconds: a test clock may be ahead. */
export function useEnvironmentNow(): number {
  const { data } = useTestClock()
  useNow() // renders again as time goes by
  return Date.now() + (data?.offset_seconds ?? 0) * 1_000
}

import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useClock, useNow } from '../../data/now.ts'

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

/** The time of the environment at each rendering: what has just happened is not ahead of it, unlike by `useNow`. */
export function useEnvironmentNow(): number {
  useNow() // renders again as time goes by
  return useClock()()
}

import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'

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

import { useMemo } from 'react'
import { useEveryOperator } from '../../data/configuration.ts'
import type { Person } from '../model/mentions.ts'

/** The people whom a message mentions, as far as they are known. */
export function useMentioned(ids: string[]): Person[] {
  const { data } = useEveryOperator()
  return useMemo(() => ids.flatMap((id) => data?.find((each) => each.id === id) ?? []), [data, ids])
}

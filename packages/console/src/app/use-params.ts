import { useMemo } from 'react'
import { useSearchParams } from 'wouter'

/** The filters of a page, which its address has, so that it can be sent to somebody. */
export function useParams<const Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams()
  const values = useMemo(
    () => Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>,
    [names, search],
  )
  /** Empty values are left out of the address. */
  const set = (changed: Partial<Record<Name, string>>) =>
    setSearch(
      (was) => {
        const next = new URLSearchParams(was)
        for (const [name, value] of Object.entries(changed) as [Name, string][])
          if (value === '') next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [values, set] as const
}

import { ApiError } from '@backline/sdk'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { useSettled } from '../data/settled.ts'
import { type Found, kinds, prefixOf, readObject } from './objects.ts'

const fewestLetters = 2

/** An object that is to be shown in the palette. Its name is missing while it is read. */
export type Shown = { id: string; prefix: string; found: Found | null }

/** Whether the server knows the object no more, or does not show it to this role. */
const isGone = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status)

function useReading() {
  const { backline } = useEnvironment()
  return (id: string) => ({
    queryKey: ['object', id],
    staleTime: 300_000,
    queryFn: ({ signal }: { signal: AbortSignal }) => readObject(backline, id, signal),
  })
}

/** Objects that were opened before, in the order of their ids. */
export function useKnownObjects(ids: string[]): Shown[] {
  const reading = useReading()
  const answers = useQueries({ queries: ids.map(reading) })
  return ids.flatMap((id, i) =>
    answers[i]!.isError ? [] : [{ id, prefix: prefixOf(id)!, found: answers[i]!.data ?? null }],
  )
}

type Search = { found: Shown[]; failed: unknown[] }

/**
 * Objects by words or by id. They are those of the words before until the answers for the latest words are there, which
 * are shown together.
 */
export function useFoundObjects(query: string) {
  const { backline, can } = useEnvironment()
  const reading = useReading()
  const q = useSettled(query)
  const prefix = prefixOf(q)
  const allowed = Object.entries(kinds).filter(([, { scope }]) => can(scope))
  const isId = prefix !== null && allowed.some(([each]) => each === prefix)
  const isEnabled = q.length >= fewestLetters
  const search = useQuery({
    queryKey: ['objects', q],
    enabled: isEnabled,
    staleTime: 0,
    placeholderData: keepPreviousData,
    async queryFn({ signal }): Promise<Search> {
      const searched = isId ? [] : allowed.filter(([, { search: by }]) => by)
      const asked = isId
        ? [
            [
              prefix,
              reading(q)
                .queryFn({ signal })
                .then((found) => [found]),
            ] as const,
          ]
        : searched.map(([each, { search: by }]) => [each, by!(backline, q, signal)] as const)
      const answers = await Promise.allSettled(asked.map(([, answer]) => answer))
      signal.throwIfAborted()
      return {
        found: answers.flatMap((answer, i) =>
          answer.status === 'fulfilled'
            ? answer.value.map((found) => ({ id: found.id, prefix: asked[i]![0], found }))
            : [],
        ),
        failed: answers.flatMap(({ status, reason }: { status: string; reason?: unknown }) =>
          status === 'rejected' && !isGone(reason) ? [reason] : [],
        ),
      }
    },
  })
  const isAsked = query.length >= fewestLetters
  return {
    found: isAsked && isEnabled ? (search.data?.found ?? []) : [],
    error: isAsked && q === query ? (search.data?.failed[0] ?? null) : null,
    isLoading: isAsked && (q !== query || search.isFetching),
    retry: () => void search.refetch(),
  }
}

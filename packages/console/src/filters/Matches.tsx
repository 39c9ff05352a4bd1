import type { FilterTree } from '@backline/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { useSettled } from '../data/settled.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './Filter.module.css'
import { texts } from './texts.ts'
import { asFilter } from './tree.ts'

type MatchesProps = {
  appliesTo: 'conversation' | 'end_user'
  filter: FilterTree
  /** False while a condition lacks something: nothing is counted then. */
  isComplete: boolean
}

/** The number of objects that a filter matches now. */
export function Matches({ appliesTo, filter, isComplete }: MatchesProps) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const settled = useSettled(filter)
  const counted = asFilter(settled)
  const query = { filter: counted, limit: 1, include: 'total' as const }
  const { data, isError, isFetching } = useQuery({
    queryKey: ['views', 'count', appliesTo, counted],
    queryFn: async ({
      signal,
    }): Promise<{ total?: number | undefined; total_is_capped?: boolean | undefined }> =>
      appliesTo === 'conversation'
        ? await backline.conversations.list(query, { signal })
        : await backline.endUsers.list(query, { signal }),
    enabled: isComplete && settled === filter,
    placeholderData: keepPreviousData,
  })
  const count = data?.total ?? 0
  return (
    <p role="status" className={styles.matches} data-old={isFetching || undefined}>
      {isError || !isComplete
        ? text.incomplete
        : data
          ? text.count(count, `${number(count)}${data.total_is_capped ? '+' : ''}`)
          : text.counting}
    </p>
  )
}

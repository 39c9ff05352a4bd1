import type { ReactNode } from 'react'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Row } from './Layout.tsx'
import styles from './Lists.module.css'
import { ErrorState, Loading } from './States.tsx'
import { texts } from './texts.ts'

type Read = { isPending: boolean; isError: boolean; error: unknown; refetch(): unknown }

type ListProps = {
  query: Read & {
    items: unknown[]
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage(): unknown
  }
  /** Stands in place of a list without items. */
  empty: ReactNode
  children: ReactNode
}

/** A list with its states and the button for its next page. */
export function List({ query, empty, children }: ListProps) {
  const text = useTexts(texts)
  if (query.isPending) return <Loading lines={5} />
  if (query.isError && query.items.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.items.length === 0 && !query.hasNextPage) return empty
  return (
    <>
      {children}
      {query.isFetchNextPageError && <ErrorState error={query.error} />}
      {query.hasNextPage && (
        <More isLoading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()}>
          {text.loadMore}
        </More>
      )}
    </>
  )
}

/** The button for the next page of a list. */
export function More({
  isLoading,
  onMore,
  children,
}: {
  isLoading: boolean
  onMore(): void
  children: string
}) {
  const text = useTexts(texts)
  return (
    <Row justify="center" className={styles.more}>
      <Button disabled={isLoading} onClick={onMore}>
        {isLoading ? text.loading : children}
      </Button>
    </Row>
  )
}

/** A single object with its states. */
export function Loaded<Data>({
  query,
  lines = 5,
  children,
}: {
  query: Omit<Read, 'isPending'> & { data: Data | undefined }
  /** The length of what is read, in lines of text. */
  lines?: number
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <Loading lines={lines} />
}

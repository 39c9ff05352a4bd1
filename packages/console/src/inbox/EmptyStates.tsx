import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useStartPath } from '../app/area-paths.ts'
import { useCommand } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { Button, buttonClass } from '../design/Button.tsx'
import { Notice, Row } from '../design/Layout.tsx'
import { EmptyState } from '../design/States.tsx'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import type { ClaimNext } from './actions/claim-next.ts'
import styles from './Inbox.module.css'
import { isEmptyKey } from './model/live.ts'
import { useMedia } from './model/media.ts'
import { texts } from './texts.ts'
import type { ChosenView } from './views/use-view.ts'

/** Whether the environment has no conversation at all. */
function useIsFirstRun(): boolean {
  const { backline } = useEnvironment()
  const { data } = useQuery({
    queryKey: isEmptyKey,
    queryFn: async ({ signal }) =>
      (await backline.conversations.list({ limit: 1 }, { signal })).data.length === 0,
  })
  return data ?? false
}

type NothingHereProps = {
  view: ChosenView
  q: string
  /** Takes the conditions away that narrow the list; null without any. */
  onClear: (() => void) | null
  claimNext: ClaimNext
}

/** In place of an empty list. */
export function NothingHere({ view, q, onClear, claimNext }: NothingHereProps) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const isFirstRun = useIsFirstRun()
  const isNarrow = useMedia('(width < 56rem)')
  if (isFirstRun) return isNarrow ? <FirstRun /> : <EmptyState icon="inbox" title={text.firstRun} />
  if (q !== '' || onClear)
    return (
      <EmptyState icon={q === '' ? 'filter' : 'search'} title={text.nothingFound}>
        <p>{q === '' ? text.nothingMatches : text.nothingFoundMore}</p>
        {onClear && <Button onClick={onClear}>{text.clearFilters}</Button>}
      </EmptyState>
    )
  const name = view.builtIn?.name
  const quiet = name && name in quietViews ? quietViews[name as keyof typeof quietViews] : null
  if (quiet)
    return (
      <EmptyState icon={view.builtIn!.icon} title={text[quiet[0]]}>
        <p>{text[quiet[1]]}</p>
      </EmptyState>
    )
  return (
    <EmptyState icon="check" title={text.nothingToDo}>
      <p>{view.saved?.description ?? text[name === 'mine' ? 'nothingMine' : 'nothingInView']}</p>
      {can('conversations:write') && (
        <Button disabled={claimNext.isPending} onClick={() => claimNext.run()}>
          {text.next}
        </Button>
      )}
    </EmptyState>
  )
}

/** The texts of views that are usually empty, or that no work comes from. */
const quietViews = {
  to_read: ['allRead', 'allReadMore'],
  waiting: ['nothingPending', 'nothingPendingMore'],
  on_hold: ['nothingOnHold', 'nothingOnHoldMore'],
  due: ['nothingDue', 'nothingDueMore'],
  resolved: ['nothingResolved', 'nothingResolvedMore'],
} as const

/** How to get the first conversation. */
function FirstRun() {
  const text = useTexts(texts)
  const { name, session } = useEnvironment()
  const demo = useCommand('demo')
  const labels = useTexts(pageTexts)
  const startPath = useStartPath()
  const url = session.public_url.replace(/\/$/, '')
  const example = [
    `curl ${url}/v1/conversations \\`,
    `  -H 'Authorization: Bearer bkl_${name}_…' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H 'Idempotency-Key: first' \\`,
    `  -d '{"external_user_id": "user_1", "subject": "Hello",`,
    `       "message": {"body": "Can you help me?"}}'`,
  ].join('\n')
  return (
    <EmptyState icon="inbox" title={text.firstRun}>
      <p>{text.firstRunMore}</p>
      <Notice as="pre" tone="plain" className={styles.example}>
        {example}
      </Notice>
      {name === 'live' && session.environments.test && (
        <>
          <p>{text.firstRunTest}</p>
          <Row justify="center" wraps>
            <Link href={startPath} className={buttonClass('primary')}>
              {labels.get_started}
            </Link>
            <Link
              href={startPath.replace('live/get_started', 'test/inbox')}
              className={buttonClass('normal')}
            >
              {text.openTest}
            </Link>
          </Row>
        </>
      )}
      {name === 'test' && (
        <>
          <p>{text.firstRunDemo}</p>
          <Notice
            as="pre"
            tone="plain"
            className={styles.example}
          >{`BACKLINE_URL=${url} BACKLINE_API_KEY=bkl_test_… backline demo`}</Notice>
          {demo && <Button onClick={() => demo.run()}>{text.fillNow}</Button>}
        </>
      )}
    </EmptyState>
  )
}

/** In place of a thread. */
export function NoConversation() {
  const text = useTexts(texts)
  const isFirstRun = useIsFirstRun()
  return (
    <div className={styles.nothing}>
      {isFirstRun ? (
        <FirstRun />
      ) : (
        <EmptyState icon="inbox" title={text.noneSelected}>
          <p>{text.noneSelectedMore}</p>
        </EmptyState>
      )}
    </div>
  )
}

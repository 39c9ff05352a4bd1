import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { AreaNavigation } from '../app/AreaNavigation.tsx'
import { useCommands } from '../app/commands.tsx'
import { lazyComponent, whenIdle } from '../app/lazy.tsx'
import { useParams } from '../app/use-params.ts'
import { useEnvironment } from '../data/environment.tsx'
import { classes } from '../design/classes.ts'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'
import { Splitter } from '../design/Splitter.tsx'
import { EmptyState, ErrorState, Loading } from '../design/States.tsx'
import { useTitle } from '../design/title.ts'
import { useTexts } from '../texts/language.tsx'
import { useClaimNext } from './actions/claim-next.ts'
import { Runs, SelectionBar } from './bulk/lazy.ts'
import { useRuns } from './bulk/runs.ts'
import { NoConversation, NothingHere } from './EmptyStates.tsx'
import { conditionsIn, textOf } from './filter/conditions.ts'
import { load as loadFilter } from './filter/lazy.tsx'
import type { ListRequest } from './filter/use-read-list.ts'
import { useFollowerEvents } from './follow/use-follow.ts'
import styles from './Inbox.module.css'
import { List, type Walk } from './list/List.tsx'
import { useConversation } from './model/conversations.ts'
import { type Going, GoingProvider } from './model/going.ts'
import { useInboxEvents } from './model/live.ts'
import { focusOnOpening } from './model/opening.ts'
import { nameOfPerson } from './model/people.ts'
import { useAfterDone } from './model/preferences.ts'
import { modelTexts } from './model/texts.ts'
import { useNewConversation } from './new/use-new-conversation.tsx'
import { texts } from './texts.ts'
import { type Sort, sorts } from './views/built-in.ts'
import { useView } from './views/use-view.ts'
import { ViewLinks } from './views/ViewLinks.tsx'

const ConversationPage = lazyComponent(
  async () => (await import('./ConversationPage.tsx')).ConversationPage,
  <div className={styles.threadPane}>
    <Loading lines={8} />
  </div>,
)

const address: string = '/:view/:id?/:page?'

const parameters = ['q', 'sort', 'filter'] as const

type Address = { view: string; id?: string; page?: string }

/** Conversations: views in the sidebar, then a list, a thread, and details. */
export function Inbox() {
  useInboxEvents()
  useFollowerEvents()
  return (
    <Switch>
      <Route path={address}>
        {({ view, id, page }: Address) => (
          <ViewPage name={view} openId={id ?? null} isDetails={page === 'details'} />
        )}
      </Route>
      <Route>
        <Redirect to="/open" replace />
      </Route>
    </Switch>
  )
}

type ViewPageProps = { name: string; openId: string | null; isDetails: boolean }

function ViewPage({ name, openId, isDetails }: ViewPageProps) {
  const text = useTexts(texts)
  const { view, error, refetch } = useView(name)
  const { can } = useEnvironment()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [values, set] = useParams(parameters)
  const { q } = values
  const conditions = useMemo(() => conditionsIn(values.filter), [values.filter])
  const sort = sorts.find((each) => each === values.sort)
  const suffix = search === '' ? '' : `?${search}`
  const hrefOf = useCallback((id: string) => `/${name}/${id}${suffix}`, [name, suffix])
  const change = (next: Partial<Omit<ListRequest, 'view'>>) =>
    set({
      ...(next.q !== undefined && { q: next.q }),
      ...(next.sort && { sort: next.sort === view?.builtIn?.sort ? '' : next.sort }),
      ...(next.conditions && { filter: textOf(next.conditions) }),
    })
  const [leaving] = useAfterDone()
  const walk = useRef<Walk>(null)
  const latestId = useRef(openId)
  useEffect(() => {
    latestId.current = openId
  })
  const open = (id: string) => navigate(hrefOf(id))
  const going: Going = {
    on() {
      // Who has opened another conversation in the meantime stays there.
      if (leaving === 'stay' || openId === null || latestId.current !== openId) return
      const next = leaving === 'next' ? walk.current?.following(openId) : null
      if (next) {
        focusOnOpening(next)
        return open(next)
      }
      navigate(`/${name}${suffix}`)
      requestAnimationFrame(() => walk.current?.enter())
    },
    back() {
      if (openId === null) return
      focusOnOpening(openId)
      open(openId)
    },
  }
  const [isListShown, setListShown] = useState(false)
  const onListShown = useCallback(() => {
    setListShown(true)
    whenIdle(() => {
      void ConversationPage.load()
      void SelectionBar.load()
      void loadFilter()
    })
  }, [])
  const { runs } = useRuns()
  const claimNext = useClaimNext(view?.saved?.id ?? null)
  useCommands(
    can('conversations:write')
      ? [
          {
            label: text.next,
            group: text.inbox,
            icon: 'chevronRight',
            shortcut: 'n',
            run: claimNext.run,
          },
        ]
      : [],
  )
  const begin = useNewConversation({
    person: null,
    group: text.inbox,
    shortcut: openId === null ? 'c' : null, // `c` takes a conversation that is open
    onCreated: (id) => navigate(hrefOf(id)),
  })
  const titleOf = ({ builtIn, saved }: NonNullable<typeof view>) =>
    builtIn ? text[builtIn.name] : saved.name
  useTitle('page', openId || view === undefined ? null : view ? titleOf(view) : text.noView)
  const shown = isDetails ? 'details' : openId ? 'thread' : 'list'
  return (
    <>
      <AreaNavigation>
        <ViewLinks chosen={name} isCounted={isListShown || view === null} />
      </AreaNavigation>
      <Opened id={openId} />
      <div className={classes(styles.inbox, styles[shown])}>
        <div className={styles.listPane}>
          <ErrorBoundary>
            {view === undefined &&
              (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading lines={9} />)}
            {view === null && <EmptyState icon="view" title={text.noView} />}
            {view && (
              <List
                key={name}
                view={view}
                title={titleOf(view)}
                sort={sort ?? view.builtIn?.sort ?? (view.saved!.sort as Sort)}
                q={q}
                conditions={conditions}
                openId={openId}
                hrefOf={hrefOf}
                onChange={change}
                onWalk={open}
                walk={walk}
                empty={
                  <NothingHere
                    view={view}
                    q={q}
                    onClear={conditions.length > 0 ? () => change({ conditions: [] }) : null}
                    claimNext={claimNext}
                  />
                }
                onShown={onListShown}
              />
            )}
          </ErrorBoundary>
          {runs.length > 0 && (
            <ErrorBoundary>
              <Runs />
            </ErrorBoundary>
          )}
          <Splitter name="list" of={text.conversations} />
        </div>
        <ErrorBoundary>
          {openId ? (
            <GoingProvider value={going}>
              <ConversationPage
                id={openId}
                backHref={`/${name}${suffix}`}
                href={hrefOf(openId)}
                isDetails={isDetails}
                claimNext={claimNext}
              />
            </GoingProvider>
          ) : (
            <div className={styles.threadPane}>
              <NoConversation />
            </div>
          )}
        </ErrorBoundary>
      </div>
      {begin.dialog}
    </>
  )
}

/** Tells those who do not see it which conversation was opened. */
function Opened({ id }: { id: string | null }) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { data: conversation } = useConversation(id)
  return (
    <p aria-live="polite" className="visually-hidden">
      {conversation &&
        text.opened(conversation.subject ?? shared.noSubject, nameOfPerson(conversation) ?? shared.visitor)}
    </p>
  )
}

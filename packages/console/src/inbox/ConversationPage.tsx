import { useDeferredValue } from 'react'
import { useLocation } from 'wouter'
import { lazyComponent, whenIdle } from '../app/lazy.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { IconButton } from '../design/Button.tsx'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'
import { Row } from '../design/Layout.tsx'
import { Splitter } from '../design/Splitter.tsx'
import { ErrorState, Loading } from '../design/States.tsx'
import { useTitle } from '../design/title.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import type { ClaimNext } from './actions/claim-next.ts'
import { Header } from './actions/Header.tsx'
import { Composer } from './composer/Composer.tsx'
import styles from './Inbox.module.css'
import { useConversation } from './model/conversations.ts'
import { useMedia } from './model/media.ts'
import { useAreMessagesRead } from './model/messages.ts'
import { nameOfPerson } from './model/people.ts'
import { useSidePanel } from './model/side-panel.ts'
import { modelTexts } from './model/texts.ts'
import { useColleagues } from './presence/use-colleagues.ts'
import { useOwnPresence } from './presence/use-own-presence.ts'
import { Thread } from './thread/Thread.tsx'

const DetailsPanel = lazyComponent(
  async () => (await import('./side/DetailsPanel.tsx')).DetailsPanel,
  <Loading lines={8} />,
)
whenIdle(() => void DetailsPanel.load())

type ConversationPageProps = {
  id: string
  href: string
  backHref: string
  isDetails: boolean
  claimNext: ClaimNext
}

export function ConversationPage({ id, href, backHref, isDetails, claimNext }: ConversationPageProps) {
  const { data: conversation, isError, error, refetch } = useConversation(id)
  const text = useTexts(common)
  const shared = useTexts(modelTexts)
  const { can } = useEnvironment()
  const [, navigate] = useLocation()
  const isWide = useMedia('(width >= 80rem)')
  const Heading = useMedia('(width < 56rem)') ? 'h1' : 'h2'
  const [isSideOpen] = useSidePanel()
  const presence = useOwnPresence(id)
  const colleagues = useColleagues(id)
  // The messages are drawn first.
  const isThreadRead = useAreMessagesRead(id)
  const sideOf = useDeferredValue(isThreadRead ? id : '', '')
  useTitle(
    'page',
    conversation ? (conversation.subject ?? nameOfPerson(conversation) ?? shared.visitor) : null,
  )
  if (!conversation)
    return (
      <div className={styles.threadPane}>
        {isError ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading lines={8} />}
      </div>
    )
  const hasSide = isWide ? isSideOpen : isDetails
  return (
    <>
      <section className={styles.threadPane} aria-label={conversation.subject ?? conversation.id}>
        <Header
          key={`header ${conversation.id}`}
          conversation={conversation}
          colleagues={colleagues}
          claimNext={claimNext}
          href={href}
          backHref={backHref}
          isWide={isWide}
        />
        <ErrorBoundary>
          <Thread conversation={conversation} />
        </ErrorBoundary>
        {can('messages:write') && (
          <Composer
            key={conversation.id}
            conversation={conversation}
            colleagues={colleagues}
            presence={presence}
          />
        )}
        {hasSide && isWide && <Splitter name="side" resizes="next" of={text.details} />}
      </section>
      {hasSide && (
        <aside className={styles.sidePane} aria-label={text.details}>
          {!isWide && (
            <Row as="header" className={styles.sideBar}>
              <IconButton icon="arrowLeft" label={text.back} onClick={() => navigate(href)} />
              <Heading>{text.details}</Heading>
            </Row>
          )}
          {sideOf === id ? <DetailsPanel conversation={conversation} /> : <Loading lines={8} />}
        </aside>
      )}
    </>
  )
}

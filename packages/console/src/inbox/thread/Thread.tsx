import type { Conversation, Message } from '@backline/sdk'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useOperatorNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { describeEvent } from '../events/describe-event.ts'
import { texts as eventTexts } from '../events/texts.ts'
import { useEventWording } from '../events/use-event-wording.ts'
import { useMessages, useTimeline } from '../model/messages.ts'
import { nameOfPerson } from '../model/people.ts'
import { Viewer } from './dialogs.ts'
import { EventLine } from './EventLine.tsx'
import { useMessageMenu } from './MessageMenu.tsx'
import { MessageView } from './MessageView.tsx'
import { OutgoingMessages } from './OutgoingMessages.tsx'
import { ScheduledMessages } from './ScheduledMessages.tsx'
import styles from './Thread.module.css'
import { Typing } from './Typing.tsx'
import { texts } from './texts.ts'
import { timelineItems } from './timeline-items.ts'
import { useLinkedMessage } from './use-linked-message.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useScroll } from './use-scroll.ts'
import { type Picture, picturesOf, Viewing } from './viewing.ts'

/** The messages of a conversation and what happened to it, the newest at the bottom. */
export function Thread({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  if (!can('messages:read'))
    return (
      <div className={styles.frame}>
        <EmptyState icon="shield" title={text.notAllowed} />
      </div>
    )
  return <Messages key={conversation.id} conversation={conversation} />
}

function Messages({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { longDay } = useFormats()
  const messages = useMessages(conversation.id)
  const isRead = messages.data !== undefined
  const timeline = useTimeline(conversation.id, isRead)
  const wording = useEventWording()
  const authorOf = useAuthors(conversation)
  const person = nameOfPerson(conversation) ?? text.visitor
  const isWhole = !messages.hasNextPage
  const items = useMemo(
    () =>
      timelineItems(
        messages.items,
        timeline.data?.events.filter((event) => describeEvent(event, wording)) ?? [],
        isWhole,
      ),
    [messages.items, timeline.data, isWhole, wording],
  )
  const newest = messages.items.find((each) => each.conversation_id === conversation.id)?.sequence ?? 0
  const scroll = useScroll({ oldest: messages.items.at(-1)?.id, newest, isReady: isRead })
  const { isNearTop } = scroll
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = messages
  useEffect(() => {
    if (isNearTop && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isNearTop, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const arrived = useArrived(messages.items)
  useMarkRead(conversation, newest, scroll.isAtEnd)
  const menu = useMessageMenu(conversation, authorOf)
  const [viewed, setViewed] = useState<Picture | null>(null)
  const linkedId = useLinkedMessage({
    scroller: scroll.scroller,
    count: messages.items.length,
    hasMore: hasNextPage,
    isLoading: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    show: scroll.show,
  })

  useCommands([
    {
      label: text.toLatest,
      group: text.conversation,
      name: 'to_latest',
      icon: 'chevronDown',
      run: scroll.toEnd,
    },
  ])

  if (!isRead)
    return (
      <div className={styles.frame}>
        {messages.isPending ? (
          <Loading lines={8} />
        ) : (
          <ErrorState error={messages.error} onRetry={() => void messages.refetch()} />
        )}
      </div>
    )
  return (
    <Viewing value={setViewed}>
      <div className={styles.frame}>
        <div
          ref={scroll.scroller}
          role="log"
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: It scrolls, and so needs the keyboard.
          tabIndex={0}
          className={styles.scroller}
          aria-label={text.messages}
          onScroll={scroll.onScroll}
        >
          <div ref={scroll.content} className={styles.content}>
            {items.length === 0 && <p className={styles.none}>{text.noMessages}</p>}
            {items.map((item) =>
              item.kind === 'day' ? (
                <h2 key={item.key} className={styles.day}>
                  <span>{longDay(item.at)}</span>
                </h2>
              ) : item.kind === 'event' ? (
                <EventLine key={item.key} event={item.event} person={person} wording={wording} />
              ) : (
                <MessageView
                  key={item.key}
                  message={item.message}
                  author={authorOf(item.message)}
                  follows={item.follows}
                  subject={conversation.subject}
                  isLinked={item.message.id === linkedId}
                  isMenuOpen={item.message.id === menu.openId}
                  onMenu={menu.menu}
                  onRevisions={menu.revisions}
                />
              ),
            )}
            <OutgoingMessages conversation={conversation} />
            <ScheduledMessages conversationId={conversation.id} authorOf={authorOf} />
            <Typing conversationId={conversation.id} name={person} />
          </div>
        </div>
        {isFetchingNextPage && <span className={styles.older} role="status" aria-label={text.older} />}
        {isFetchNextPageError && !isFetchingNextPage && (
          <div role="alert">
            <Button className={styles.notRead} icon="refresh" onClick={() => void fetchNextPage()}>
              {text.olderFailed}
            </Button>
          </div>
        )}
        {!scroll.isAtEnd && (
          <Button className={styles.toLatest} icon="chevronDown" onClick={scroll.toEnd}>
            {scroll.newCount > 0 ? text.newBelow(scroll.newCount) : text.toLatest}
          </Button>
        )}
        <div aria-live="polite" className="visually-hidden">
          {arrived && `${authorOf(arrived)}: ${arrived.body}`}
        </div>
        {menu.element}
        {viewed && (
          <Viewer pictures={picturesOf(messages.items)} first={viewed} onClose={() => setViewed(null)} />
        )}
      </div>
    </Viewing>
  )
}

/** The newest message of the end user, if it came after the thread was opened. */
function useArrived(newestFirst: Message[]): Message | null {
  const opened = useRef<string | null>(null)
  const newest = newestFirst[0]
  if (newest && opened.current === null) opened.current = newest.created_at
  return newest && newest.author_side === 'end_user' && newest.created_at > (opened.current ?? '')
    ? newest
    : null
}

/** The name of who wrote a message. */
function useAuthors(conversation: Conversation): (message: Message) => string {
  const text = useTexts(eventTexts)
  const nameOf = useOperatorNames()
  const person = nameOfPerson(conversation) ?? text.visitor
  return (message) =>
    message.author_side === 'end_user'
      ? person
      : message.author_side === 'system'
        ? text.system
        : (nameOf(message.operator_id) ?? text.operator)
}

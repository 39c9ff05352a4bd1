import type { Notification } from '@backline/sdk'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useOperatorNames } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { usePages } from '../data/lists.ts'
import { listsKey, notificationsKey, useUnreadCount } from '../data/notifications.ts'
import { useWrite } from '../data/write.ts'
import { Button, buttonClass } from '../design/Button.tsx'
import { Icon } from '../design/Icon.tsx'
import { Row } from '../design/Layout.tsx'
import { List } from '../design/Lists.tsx'
import { EmptyState } from '../design/States.tsx'
import { useTexts } from '../texts/language.tsx'
import { Item } from './Item.tsx'
import styles from './NotificationList.module.css'
import { includedFor } from './wording.ts'
import { words } from './words.ts'

const filters = ['unread', 'all'] as const

/**
 * The notifications of the operator, the newest first, by pages.
 * @param onOpened called when one is chosen; given by a list that has been opened, and takes the focus
 */
export function NotificationList({ onOpened }: { onOpened?: () => void }) {
  const text = useTexts(words)
  const { backline, can, name } = useEnvironment()
  const [filter, setFilter] = useState<(typeof filters)[number]>('unread')
  const list = useRef<HTMLDivElement>(null)
  const unread = useUnreadCount()
  const operatorName = useOperatorNames()
  const query = usePages<Notification>([...listsKey, filter], (cursor, signal) =>
    backline.notifications.list(
      {
        cursor,
        include: includedFor(can),
        ...(filter === 'unread' && { read: 'false' }),
      },
      { signal },
    ),
  )
  /** A panel that has opened has the focus at its first row; who chooses another list keeps it there. */
  const takesFocus = useRef(onOpened !== undefined)
  useEffect(() => {
    if (!takesFocus.current || query.isPending) return
    takesFocus.current = false
    ;(list.current?.querySelector<HTMLElement>('[data-row]') ?? list.current)?.focus()
  }, [query.isPending])
  const readAll = useWrite({
    // What has come since is not read by it.
    run: () => backline.notifications.readAll(newestOf(query.items)),
    refresh: [notificationsKey],
    failed: text.readAll,
    onDone: () => list.current?.focus(),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = links.findIndex((each) => each.closest('li')?.contains(document.activeElement))
    links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The arrow keys go from one notification to the next.
    <div className={styles.list} onKeyDown={onKeyDown}>
      <Row wraps justify="between">
        <Row gap={1} role="group" aria-label={text.notifications}>
          {filters.map((each) => (
            <Button
              key={each}
              isSmall
              variant={each === filter ? 'normal' : 'plain'}
              aria-pressed={each === filter}
              onClick={() => setFilter(each)}
            >
              {each === 'all' ? text.all : text.unreadOnly}
            </Button>
          ))}
        </Row>
        <Row gap={1}>
          <Button
            isSmall
            variant="plain"
            icon="check"
            disabled={unread === 0}
            onClick={() => readAll.mutate()}
          >
            {text.readAll}
          </Button>
          <Link
            href={`/${name}/notifications/preferences`}
            className={buttonClass('plain', styles.preferences)}
            aria-label={text.notification_preferences}
            title={text.notification_preferences}
            onClick={onOpened}
          >
            <Icon name="sliders" />
          </Link>
        </Row>
      </Row>
      <div ref={list} tabIndex={-1} className={styles.items}>
        <List
          query={query}
          empty={
            filter === 'unread' ? (
              <EmptyState icon="check" title={text.noUnread} />
            ) : (
              <EmptyState icon="bell" title={text.none}>
                {text.noneMeans}
              </EmptyState>
            )
          }
        >
          <ul aria-label={text.notifications}>
            {query.items.map((notification) => (
              <li key={notification.id}>
                <Item notification={notification} wording={{ text, operatorName }} onOpened={onOpened} />
              </li>
            ))}
          </ul>
        </List>
      </div>
    </div>
  )
}

const newestOf = ([first]: Notification[]) => (first ? { up_to: first.notified_at } : {})

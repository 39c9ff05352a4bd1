import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { useNotificationEvents, useUnreadCount } from '../data/notifications.ts'
import { buttonClass, IconButton } from '../design/Button.tsx'
import { classes } from '../design/classes.ts'
import { Icon } from '../design/Icon.tsx'
import { Popover } from '../design/Popover.tsx'
import { useMedia } from '../inbox/model/media.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './Bell.module.css'
import { load, NotificationList } from './lazy.tsx'
import { texts } from './texts.ts'
import { useAlerts } from './use-alerts.ts'
import { shortCount, useSigns } from './use-signs.ts'

function useBell() {
  const text = useTexts(texts)
  const { name } = useEnvironment()
  const count = useUnreadCount()
  return {
    count,
    href: `/${name}/notifications`,
    label: count === 0 ? text.notifications : `${text.notifications}: ${text.unread(count)}`,
    badge: count > 0 && (
      <span className={styles.count} aria-hidden="true">
        {shortCount(count)}
      </span>
    ),
  }
}

/** Opens the notifications, with the number of unread ones. In a narrow window they have a page of their own. */
export function Bell() {
  const text = useTexts(texts)
  const { count, href, label, badge } = useBell()
  const [path, navigate] = useLocation()
  const isNarrow = useMedia('(width < 56rem)')
  const [isOpen, setOpen] = useState(false)
  const goesOn = useRef(false)
  useNotificationEvents()
  useAlerts()
  useSigns(count)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another page closes the list.
  useEffect(() => setOpen(false), [path])
  useCommands([
    {
      label: text.notifications,
      group: text.goTo,
      shortcut: 'g n',
      icon: 'bell',
      run: () => (isNarrow ? navigate(href) : setOpen(true)),
    },
    {
      label: text.notification_preferences,
      group: text.goTo,
      icon: 'bell',
      run: () => navigate(`${href}/preferences`),
    },
  ])
  return (
    <>
      <Announced count={count} />
      {!isNarrow && (
        <Popover
          title={text.notifications}
          isOpen={isOpen}
          onOpenChange={(next) => {
            goesOn.current = false
            setOpen(next)
          }}
          initialFocus={false}
          finalFocus={() => !goesOn.current}
          isLarge
          trigger={
            <IconButton
              icon="bell"
              label={label}
              shortcut="g n"
              badge={badge}
              className={styles.bell}
              onPointerEnter={() => void load()}
              onFocus={() => void load()}
            />
          }
        >
          <NotificationList
            onOpened={() => {
              goesOn.current = true
              setOpen(false)
            }}
          />
        </Popover>
      )}
    </>
  )
}

/** The same in the bar of a narrow window: leads to the page. */
export function BellLink() {
  const { href, label, badge } = useBell()
  return (
    <Link
      href={href}
      aria-label={label}
      className={classes(buttonClass('plain'), styles.bell, styles.link)}
      onPointerDown={() => void load()}
    >
      <Icon name="bell" />
      {badge}
    </Link>
  )
}

/** Tells those who do not see it that there are more unread notifications than before. */
function Announced({ count }: { count: number }) {
  const text = useTexts(texts)
  const before = useRef(count)
  const [told, setTold] = useState('')
  useEffect(() => {
    if (count > before.current) setTold(text.unread(count))
    else if (count === 0) setTold('')
    before.current = count
  }, [count, text])
  return (
    <span role="status" className="visually-hidden">
      {told}
    </span>
  )
}

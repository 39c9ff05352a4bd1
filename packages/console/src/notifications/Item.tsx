import type { Notification } from '@backline/sdk'
import { Link } from 'wouter'
import { useEnvironment } from '../data/environment.tsx'
import { useNow } from '../data/now.ts'
import { useWrite } from '../data/write.ts'
import { Avatar } from '../design/Avatar.tsx'
import { IconButton } from '../design/Button.tsx'
import { classes } from '../design/classes.ts'
import { Icon } from '../design/Icon.tsx'
import { useFormats } from '../texts/formats.ts'
import styles from './Item.module.css'
import { useHref, useOpened } from './open.ts'
import { aboutOf, doerOf, sentenceOf, type Wording } from './wording.ts'

type ItemProps = { notification: Notification; wording: Wording; onOpened: (() => void) | undefined }

/** One notification: a link to its conversation, and the button that marks it as read or unread. */
export function Item({ notification, wording, onOpened }: ItemProps) {
  const { text } = wording
  const { backline } = useEnvironment()
  const { relative, moment } = useFormats()
  const nowMs = useNow()
  const hrefOf = useHref()
  const opened = useOpened()
  const { id, read_at, notified_at: at, kind } = notification
  const isUnread = read_at === null
  const label = isUnread ? text.markRead : text.markUnread
  const mark = useWrite({
    run: () => (isUnread ? backline.notifications.read(id) : backline.notifications.unread(id)),
    refresh: [],
    failed: label,
  })
  const doer = doerOf(notification, wording)
  const [subject, preview] = aboutOf(notification, wording) ?? []
  const content = (
    <>
      {doer === null ? (
        <span className={styles.picture}>
          <Icon name={kind.startsWith('sla') ? 'clock' : 'bell'} />
        </span>
      ) : (
        <Avatar name={doer} size={28} />
      )}
      <span className={styles.text}>
        <span className={styles.line}>
          <span className={styles.sentence}>
            {isUnread && <span className="visually-hidden">{text.unreadMark} </span>}
            <bdi>{sentenceOf(notification, wording)}</bdi>
          </span>
          <time className={styles.time} dateTime={at} title={moment(at)}>
            {relative(at, Math.max(nowMs, Date.parse(at)))}
          </time>
        </span>
        <span className={styles.about}>{subject === undefined ? text.gone : <bdi>{subject}</bdi>}</span>
        {preview && <bdi className={styles.about}>{preview}</bdi>}
      </span>
    </>
  )
  return (
    <div className={classes(styles.item, isUnread && styles.unread)}>
      {notification.conversation ? (
        <Link
          href={hrefOf(notification)}
          className={styles.link}
          data-row
          onClick={() => {
            opened(notification)
            onOpened?.()
          }}
        >
          {content}
        </Link>
      ) : (
        <div className={styles.link}>{content}</div>
      )}
      <IconButton
        isSmall
        icon={isUnread ? 'check' : 'mail'}
        label={label}
        disabled={mark.isPending}
        onClick={() => mark.mutate()}
      />
    </div>
  )
}

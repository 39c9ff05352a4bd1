import type { Conversation } from '@backline/sdk'
import { memo } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge } from '../../design/Badge.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { ColumnCells } from '../columns/lazy.ts'
import { DueText } from '../model/DueText.tsx'
import { nameOfPerson } from '../model/people.ts'
import { modelTexts, toneOfPriority, toneOfStatus } from '../model/texts.ts'
import { texts } from '../texts.ts'
import styles from './Row.module.css'

/** The server counts up to here. */
const mostUnread = 100

type RowProps = {
  conversation: Conversation
  href: string
  isOpen: boolean
  isFocused: boolean
  assignee: string | undefined
  /** The status that most rows of the list have. */
  usualStatus: Conversation['status'] | undefined
  /** The values that the view has chosen; empty for the usual ones. */
  columns: string[]
  nowMs: number
  /** The number of messages of this browser that were not sent. */
  unsentCount: number
  onFocus(id: string): void
  /** The row is pressed: the conversation will be opened. */
  onPress(id: string): void
  /** A click with the shift key selects; null if nothing can be selected. */
  onRange: ((id: string, isRange: boolean) => void) | null
}

export const Row = memo(function Row({
  conversation,
  href,
  isOpen,
  isFocused,
  assignee,
  usualStatus,
  columns,
  nowMs,
  unsentCount,
  onFocus,
  onPress,
  onRange,
}: RowProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { relative, moment } = useFormats()
  const { subject, status, priority, tags } = conversation
  const unread = conversation.read_state?.unread_count ?? 0
  const preview = conversation.last_message?.text
  const at = conversation.last_message_at ?? conversation.created_at
  const notSent = unsentCount > 0 && <Badge tone="bad">{text.notSent(unsentCount)}</Badge>
  return (
    <Link
      href={href}
      className={classes(
        styles.row,
        isOpen && styles.open,
        unread > 0 && styles.unread,
        columns.length > 0 && styles.table,
      )}
      aria-current={isOpen ? 'true' : undefined}
      tabIndex={isFocused ? 0 : -1}
      data-row={conversation.id}
      onFocus={() => onFocus(conversation.id)}
      onPointerDown={() => onPress(conversation.id)}
      onClick={() => onPress(conversation.id)}
      // The link leaves clicks with the shift key to the browser, which opens a window.
      onClickCapture={(event) => {
        if (!event.shiftKey || !onRange) return
        event.preventDefault()
        onRange(conversation.id, true)
      }}
    >
      <span className={styles.line}>
        <bdi className={styles.person}>{nameOfPerson(conversation) ?? shared.visitor}</bdi>
        {unread > 0 && (
          <span className={styles.count}>
            <span aria-hidden="true">{unread >= mostUnread ? `${mostUnread - 1}+` : unread}</span>
            <span className="visually-hidden">{text.unread(unread)}</span>
          </span>
        )}
        <time className={styles.time} dateTime={at} title={moment(at)}>
          {relative(at, Math.max(nowMs, Date.parse(at)))}
        </time>
      </span>
      <span className={styles.subject} dir="auto">
        {subject ?? (!preview && <span className={styles.none}>{shared.noSubject}</span>)}
        {preview &&
          (subject === null ? (
            <span className={styles.preview}>{preview}</span>
          ) : (
            <bdi className={styles.preview}>{preview}</bdi>
          ))}
      </span>
      <span className={classes(styles.line, styles.last)}>
        {columns.length > 0 ? (
          <span className={styles.facts}>
            {notSent}
            <ColumnCells columns={columns} conversation={conversation} nowMs={nowMs} />
          </span>
        ) : (
          <span className={styles.facts}>
            {notSent}
            {status !== usualStatus && <Badge tone={toneOfStatus[status]}>{shared[status]}</Badge>}
            {(priority === 'high' || priority === 'urgent') && (
              <Badge tone={toneOfPriority[priority]}>{shared[priority]}</Badge>
            )}
            <DueText conversation={conversation} nowMs={nowMs} onlyIfUrgent />
            {tags.length > 0 && <span className={styles.tags}>{tags.join(', ')}</span>}
          </span>
        )}
        {assignee ? (
          <span title={text.assignedTo(assignee)} className={styles.assignee}>
            <Avatar name={assignee} size={18} />
            <span className="visually-hidden">{text.assignedTo(assignee)}</span>
          </span>
        ) : (
          <span title={text.unassigned} className={styles.nobody}>
            <Icon name="user" size={12} />
            <span className="visually-hidden">{text.unassigned}</span>
          </span>
        )}
      </span>
    </Link>
  )
})

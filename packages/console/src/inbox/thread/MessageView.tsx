import type { Message } from '@backline/sdk'
import { memo, type ReactNode } from 'react'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { DeliveryState, MailLine, Quoted } from '../email/lazy.ts'
import { AlsoMentioned } from './AlsoMentioned.tsx'
import { Attachments } from './Attachments.tsx'
import { MessageHtml } from './MessageHtml.tsx'
import styles from './MessageView.module.css'
import { texts } from './texts.ts'

type MessageViewProps = {
  message: Message
  author: string
  /** The message before is of the same author: its name is not repeated. */
  follows?: boolean
  /** The subject of the conversation. */
  subject?: string | null
  /** Stands below the text, such as the state of sending. */
  state?: ReactNode
  /** The address of the page names this message. */
  isLinked?: boolean
  isMenuOpen?: boolean
  onMenu?: (message: Message, button: HTMLElement) => void
  onRevisions?: (message: Message) => void
}

export const MessageView = memo(function MessageView({
  message,
  author,
  follows,
  subject = null,
  state,
  isLinked,
  isMenuOpen = false,
  onMenu,
  onRevisions,
}: MessageViewProps) {
  const text = useTexts(texts)
  const { time, moment } = useFormats()
  const { body_html: html, created_at: at } = message
  const isNote = message.visibility === 'internal'
  return (
    <article
      className={classes(
        styles.message,
        styles[message.author_side],
        isNote && styles.note,
        follows && styles.follows,
        isLinked && styles.linked,
      )}
      data-message={message.id}
      tabIndex={-1}
    >
      <div>
        {!follows &&
          (message.author_side === 'system' ? (
            <span className={styles.robot}>
              <Icon name="bolt" />
            </span>
          ) : (
            <Avatar name={author} size={28} />
          ))}
      </div>
      <Stack gap="half" className={styles.content}>
        <Row as="header" wraps className={styles.header}>
          {follows ? <span className="visually-hidden">{author}</span> : <strong>{author}</strong>}
          {isNote && !follows && <Badge tone="warn">{text.internalNote}</Badge>}
          <time dateTime={at} title={moment(at)}>
            {time(at)}
          </time>
          {onMenu && (
            <Button
              variant="plain"
              isSmall
              icon="more"
              className={styles.more}
              aria-label={text.menuOf(author, time(at))}
              aria-haspopup="menu"
              aria-expanded={isMenuOpen}
              onClick={({ currentTarget }) => onMenu(message, currentTarget)}
            />
          )}
        </Row>
        {message.email && <MailLine message={message} email={message.email} subject={subject} />}
        {message.redacted_at ? (
          <p className={styles.redacted} title={moment(message.redacted_at)}>
            {text.redacted}
          </p>
        ) : (
          html && <MessageHtml html={html} pictures={message.attachments} mentions={message.mentions} />
        )}
        {message.mentions.length > 0 && <AlsoMentioned message={message} />}
        {message.email?.quoted && <Quoted quoted={message.email.quoted} />}
        <Attachments attachments={message.attachments} />
        {message.edited_at && !message.redacted_at && (
          <button
            type="button"
            className={styles.edited}
            title={text.editedAt(moment(message.edited_at))}
            onClick={() => onRevisions?.(message)}
          >
            {text.edited}
          </button>
        )}
        {message.delivery && <DeliveryState message={message} delivery={message.delivery} />}
        {state}
      </Stack>
    </article>
  )
})

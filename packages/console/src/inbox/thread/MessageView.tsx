import type { Message } from '@backline/sdk'
import { memo, type ReactNode, useMemo } from 'react'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge } from '../../design/Badge.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { DeliveryState, MailLine, Quoted } from '../email/lazy.ts'
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
}

export const MessageView = memo(function MessageView({
  message,
  author,
  follows,
  subject = null,
  state,
}: MessageViewProps) {
  const text = useTexts(texts)
  const { time, full } = useFormats()
  const isNote = message.visibility === 'internal'
  const html = useMemo(() => message.body_html, [message.body_html])
  return (
    <article
      className={classes(
        styles.message,
        styles[message.author_side],
        isNote && styles.note,
        follows && styles.follows,
      )}
      data-message={message.id}
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
        {follows ? (
          <span className="visually-hidden">{author}</span>
        ) : (
          <Row as="header" wraps className={styles.header}>
            <strong>{author}</strong>
            {isNote && <Badge tone="warn">{text.internalNote}</Badge>}
            <time dateTime={message.created_at} title={full(message.created_at)}>
              {time(message.created_at)}
            </time>
          </Row>
        )}
        {message.email && <MailLine message={message} email={message.email} subject={subject} />}
        {message.redacted_at ? (
          <p className={styles.redacted} title={full(message.redacted_at)}>
            {text.redacted}
          </p>
        ) : (
          html && <MessageHtml html={html} />
        )}
        {message.email?.quoted && <Quoted quoted={message.email.quoted} />}
        <Attachments attachments={message.attachments} />
        {message.edited_at && !message.redacted_at && (
          <small title={text.editedAt(full(message.edited_at))}>{text.edited}</small>
        )}
        {message.delivery && <DeliveryState message={message} delivery={message.delivery} />}
        {state}
      </Stack>
    </article>
  )
})

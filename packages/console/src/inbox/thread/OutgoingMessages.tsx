import type { Conversation, Message } from '@backline/sdk'
import { useEffect, useState } from 'react'
import type { Reason } from '../../browser/outbox-store.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { problemText } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { focusOnOpening } from '../model/opening.ts'
import { type Outgoing, useOutgoing, useSending } from '../model/outbox.tsx'
import { useTakeBack } from '../model/take-back.ts'
import { escapeHtml } from './escape.ts'
import { MessageView } from './MessageView.tsx'
import styles from './Thread.module.css'
import { texts } from './texts.ts'

/** Messages of this browser that have not arrived yet. */
export function OutgoingMessages({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { operator } = useEnvironment()
  const outgoings = useOutgoing(conversation.id)
  const { sendNow, remove } = useSending()
  const takeBack = useTakeBack()
  const takeUp = ({ key, conversationId }: Outgoing) => {
    if (takeBack(key)) focusOnOpening(conversationId, 'text')
  }
  const sentenceOf = (reason: Reason): string =>
    reason.code === 'refused' ? problemText(reason.problem) : text[reason.code]
  return outgoings.map((outgoing) => (
    <MessageView
      key={outgoing.key}
      message={asMessage(outgoing, operator.id)}
      author={operator.name}
      state={
        outgoing.reason ? (
          <Row as="small" wraps className={styles.failed} role="alert">
            <span>
              <strong>{text.notSent}</strong>: {sentenceOf(outgoing.reason)}
              {outgoing.state === 'held' && outgoing.mayHaveArrived && ` ${text.lookFirst}`}
            </span>
            <Button onClick={() => sendNow(outgoing, conversation)}>
              {outgoing.state === 'held' ? text.sendNow : text.retry}
            </Button>
            {!outgoing.mayHaveArrived && (
              // One that may have arrived would be sent twice.
              <Button onClick={() => takeUp(outgoing)}>{text.edit}</Button>
            )}
            <Button variant="danger" onClick={() => remove(outgoing.key)}>
              {text.discard}
            </Button>
          </Row>
        ) : outgoing.dueAt ? (
          <Row as="small" wraps>
            <SecondsLeft dueAt={outgoing.dueAt} />
            <Button isSmall onClick={() => takeUp(outgoing)}>
              {text.undo}
            </Button>
            <Button isSmall onClick={() => sendNow(outgoing, conversation)}>
              {text.sendNow}
            </Button>
          </Row>
        ) : (
          <small>{text.sending}</small>
        )
      }
    />
  ))
}

/** The time until a message is sent. It is read out once, and not each second. */
function SecondsLeft({ dueAt }: { dueAt: string }) {
  const text = useTexts(texts)
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(1, Math.ceil((Date.parse(dueAt) - nowMs) / 1_000))
  return (
    <>
      <span aria-hidden="true">{text.sendingIn(seconds)}</span>
      <span role="status" className="visually-hidden">
        {text.sendingSoon}
      </span>
    </>
  )
}

const asMessage = (
  { key, conversationId, body, attachments, createdAt }: Outgoing,
  operatorId: string,
): Message => ({
  id: key,
  object: 'message',
  conversation_id: conversationId,
  status: 'sent',
  sequence: null,
  send_at: null,
  author_side: 'operator',
  operator_id: operatorId,
  author_end_user_id: null,
  body: body.body ?? '',
  body_format: body.body_format ?? 'text',
  body_html: body.body ? escapeHtml(body.body) : null,
  visibility: body.visibility ?? 'public',
  template_id: null,
  in_reply_to_id: null,
  mentions: body.mentions ?? [],
  attachments,
  email: null,
  delivery: null,
  external_id: null,
  metadata: {},
  edited_at: null,
  redacted_at: null,
  created_at: createdAt,
  updated_at: createdAt,
  version: 0,
})

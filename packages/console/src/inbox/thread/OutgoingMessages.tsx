import type { Message } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { useTexts } from '../../texts/language.tsx'
import { joined, useDraft } from '../model/drafts.ts'
import { useOutbox, useSending } from '../model/outbox.ts'
import type { Outgoing } from '../model/outbox-store.ts'
import { escapeHtml } from './escape.ts'
import { MessageView } from './MessageView.tsx'
import styles from './Thread.module.css'
import { texts } from './texts.ts'

/** Messages of this browser that have not arrived yet. */
export function OutgoingMessages({ conversationId }: { conversationId: string }) {
  const text = useTexts(texts)
  const { operator } = useEnvironment()
  const outbox = useOutbox(conversationId)
  const { retry, remove } = useSending()
  const [, changeDraft] = useDraft(conversationId)
  const edit = ({ key, body, attachments }: Outgoing) => {
    const mode = body.visibility === 'internal' ? 'note' : 'reply'
    const earlier = { sendAt: body.send_at ?? null, resolves: body.set_status === 'resolved' }
    remove(key)
    changeDraft((draft) => ({
      ...draft,
      mode,
      isMarkdown: body.body_format === 'markdown' || draft.isMarkdown,
      [mode]: {
        body: joined(body.body ?? '', draft[mode].body),
        attachments: [...attachments, ...draft[mode].attachments],
        earlier,
      },
    }))
  }
  return outbox.map((outgoing) => (
    <MessageView
      key={outgoing.key}
      message={asMessage(outgoing, operator.id)}
      author={operator.name}
      state={
        outgoing.state === 'sending' ? (
          <span className={styles.sending}>{text.sending}</span>
        ) : (
          <div className={styles.failed} role="alert">
            <span>
              <strong>{outgoing.state === 'unknown' ? text.perhapsNotSent : text.notSent}</strong>
              {outgoing.reason && `: ${outgoing.reason}`}
            </span>
            <Button onClick={() => void retry(outgoing)}>{text.retry}</Button>
            {outgoing.state === 'failed' && (
              // One that may have arrived would be sent twice.
              <Button onClick={() => edit(outgoing)}>{text.edit}</Button>
            )}
            <Button look="danger" onClick={() => remove(outgoing.key)}>
              {text.discard}
            </Button>
          </div>
        )
      }
    />
  ))
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
  attachments,
  external_id: null,
  metadata: {},
  edited_at: null,
  redacted_at: null,
  created_at: createdAt,
  updated_at: createdAt,
  version: 0,
})

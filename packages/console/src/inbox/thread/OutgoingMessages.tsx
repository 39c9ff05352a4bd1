import type { Conversation, Message } from '@backline/sdk'
import type { Reason } from '../../browser/outbox-store.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { problemText } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { joined, useComposerDraft } from '../model/drafts.ts'
import { mailDraftOf } from '../model/mail-draft.ts'
import { type Outgoing, useOutgoing, useSending } from '../model/outbox.tsx'
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
  const [, changeDraft] = useComposerDraft(conversation.id)
  const sentenceOf = (reason: Reason): string =>
    reason.code === 'refused' ? problemText(reason.problem) : text[reason.code]
  const edit = ({ key, body, attachments }: Outgoing) => {
    const mode = body.visibility === 'internal' ? 'note' : 'reply'
    const earlier = { sendAt: body.send_at ?? null, resolves: body.set_status === 'resolved' }
    remove(key)
    changeDraft((draft) => ({
      ...draft,
      mode,
      isMarkdown: body.body_format === 'markdown' ? true : draft.isMarkdown,
      [mode]: {
        body: joined(body.body ?? '', draft[mode].body),
        attachments: [...attachments, ...draft[mode].attachments],
        earlier,
        ...(body.email ? mailDraftOf(body.email) : draft[mode].mail && { mail: draft[mode].mail }),
      },
    }))
  }
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
              <Button onClick={() => edit(outgoing)}>{text.edit}</Button>
            )}
            <Button variant="danger" onClick={() => remove(outgoing.key)}>
              {text.discard}
            </Button>
          </Row>
        ) : (
          <small>{text.sending}</small>
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
  mentions: [],
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

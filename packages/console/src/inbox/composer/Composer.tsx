import type { Conversation, Message } from '@backline/sdk'
import { useRef, useState } from 'react'
import { useCommand, useCommands } from '../../app/commands.tsx'
import { undoMs, useOfferUndo } from '../../app/undo.tsx'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { classes } from '../../design/classes.ts'
import { Quiet } from '../../design/Layout.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { RequiredFieldsDialog } from '../actions/RequiredFieldsDialog.tsx'
import { useConversationMutation } from '../actions/use-conversation-mutation.ts'
import { useRequiredFields } from '../actions/use-required-fields.ts'
import { MailFields } from '../email/lazy.ts'
import {
  begun,
  commandOf,
  type Draft,
  type DraftMode,
  isEmpty,
  useComposerDraft,
  withoutText,
  withText,
} from '../model/drafts.ts'
import { useGoing } from '../model/going.ts'
import { emailOf, isSendable } from '../model/mail-draft.ts'
import { written } from '../model/markup.ts'
import { useMedia } from '../model/media.ts'
import { mentionsIn } from '../model/mentions.ts'
import { useAnswersOfColleagues } from '../model/messages.ts'
import { focusOnOpening, useFocusOnOpening } from '../model/opening.ts'
import { useSending } from '../model/outbox.tsx'
import { nameOfPerson } from '../model/people.ts'
import { useAfterDone, useSendDelay } from '../model/preferences.ts'
import { useTakeBack } from '../model/take-back.ts'
import { modelTexts } from '../model/texts.ts'
import { Replying } from '../presence/Replying.tsx'
import type { Colleague } from '../presence/use-colleagues.ts'
import type { OwnPresence } from '../presence/use-own-presence.ts'
import { AnsweredDialog } from './AnsweredDialog.tsx'
import styles from './Composer.module.css'
import { Editor } from './Editor.tsx'
import { SendButtons, type SendOptions } from './SendButtons.tsx'
import { texts } from './texts.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useTyping } from './use-typing.ts'
import { useUploads } from './use-uploads.ts'

/** A phone, or a window that is enlarged: the conversation needs the room. */
const littleRoom = '(width < 56rem), (height < 32rem)'

type ComposerProps = {
  conversation: Conversation
  colleagues: Colleague[]
  /** Tells colleagues who is writing a reply. */
  presence: OwnPresence
}

/** Writes replies and internal notes. */
export function Composer({ conversation, colleagues, presence }: ComposerProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { moment } = useFormats()
  const { operator, can } = useEnvironment()
  const [leaving] = useAfterDone()
  const toLatest = useCommand('to_latest')
  const [draft, change] = useComposerDraft(conversation.id)
  const { send } = useSending()
  const typing = useTyping(conversation.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const place = useRef<HTMLElement>(null)
  useFocusOnOpening(conversation.id, 'text', field)
  const [delay] = useSendDelay()
  const going = useGoing()
  const offerUndo = useOfferUndo()
  const takeBack = useTakeBack()
  const toast = useToast()
  const isClosed = conversation.status === 'closed'
  const { mode, isMarkdown } = draft
  const { body, attachments, mail, templateId } = draft[mode]
  const earlier = isClosed || isEmpty(draft[mode]) ? undefined : draft[mode].earlier
  const uploading = useUploads(mode, (kind, attachment) =>
    change((each) => ({
      ...each,
      [kind]: { ...each[kind], attachments: [...each[kind].attachments, attachment] },
    })),
  )
  const isOver = useFileDrop(place, can('files:write'), uploading.add)
  // A file that has failed is removed or sent again first: nobody should believe that it was sent.
  const canSend =
    (body.trim() !== '' || attachments.length > 0) && uploading.uploads.length === 0 && isSendable(mail)
  const isByMail = conversation.mailbox_id !== null && mode === 'reply'

  const isSmall = useMedia(littleRoom)
  const [isOpened, setOpened] = useState(false)
  const isFolded = isSmall && !isOpened && isEmpty(draft[mode]) && uploading.uploads.length === 0 && !earlier

  const write = (next: DraftMode) => {
    change((each) => ({ ...each, mode: next }))
    requestAnimationFrame(() => field.current?.focus())
  }
  const { data: operators } = useOperators()
  const mentions = (written: string): string[] => {
    if (mode !== 'note') return []
    const chosen = draft.note.mentions ?? []
    return operators ? mentionsIn(written, operators, chosen) : chosen
  }
  const edit = (next: (draft: Draft) => Draft) => {
    change((each) => begun(each, next(each), conversation.message_count))
    if (mode !== 'reply') return
    const writes = next(draft).reply.body !== ''
    typing.report(writes)
    presence.report(writes)
  }
  const submit = ({ resolves = false, at = null }: SendOptions = {}) => {
    const isDelayed = delay === 'on' && !at
    const key = send(
      conversation,
      {
        author_side: 'operator',
        operator_id: operator.id,
        ...written(body.trim(), isMarkdown),
        ...(mode === 'note' && { mentions: mentions(body) }),
        // It counts its uses.
        ...(templateId && body.trim() !== '' && { template_id: templateId }),
        visibility: mode === 'note' ? 'internal' : 'public',
        ...(attachments.length > 0 && { attachments: attachments.map(({ file_id }) => ({ file_id })) }),
        ...(resolves && { set_status: 'resolved' as const }),
        ...(at && { send_at: at }),
        ...(isByMail && emailOf(mail)),
        ...(isClosed && mode === 'reply' && { on_closed: 'follow_up' as const }),
      },
      attachments,
      isDelayed ? undoMs : 0,
    )
    change(withoutText)
    typing.stop()
    presence.report(false)
    field.current?.focus()
    setOpened(false)
    if (isDelayed) offerToTakeBack(key, resolves)
    if (resolves) going.on()
  }
  /** The thread shows it, too: a message at the corner is for those who go on. */
  const offerToTakeBack = (key: string, resolves: boolean) =>
    offerUndo(
      {
        title: resolves ? text.sentAndResolved : text.sent,
        detail: conversation.subject ?? nameOfPerson(conversation) ?? undefined,
        undo() {
          if (!takeBack(key)) return void toast.failed({ title: text.tooLate })
          going.back()
          focusOnOpening(conversation.id, 'text')
        },
      },
      { isToast: resolves && leaving !== 'stay' },
    )
  const answersSince = useAnswersOfColleagues(conversation)
  const [answered, setAnswered] = useState<{ answers: Message[]; options: SendOptions } | null>(null)
  /** Sends unless there is something to see or to fill in before. */
  const begin = (options: SendOptions = {}, isRead = false) => {
    if (!canSend) return
    const answers = mode === 'reply' && !isRead ? answersSince(draft.reply.seenCount) : []
    if (answers.length > 0) setAnswered({ answers, options })
    else if (options.resolves && required.length > 0) setAsking(true)
    else submit(options)
  }
  const required = useRequiredFields(conversation)
  const mutate = useConversationMutation(conversation)
  const [isAsking, setAsking] = useState(false)
  useCommands([
    {
      label: text.reply,
      group: text.conversation,
      name: commandOf.reply,
      icon: 'send',
      shortcut: 'r',
      run: () => write('reply'),
    },
    {
      label: text.note,
      group: text.conversation,
      name: commandOf.note,
      icon: 'note',
      shortcut: 'i',
      run: () => write('note'),
    },
  ])

  const editor = (
    <>
      {isByMail && (
        <MailFields
          conversation={conversation}
          mail={mail}
          isWriting={body !== ''}
          onChange={(chosen) =>
            change(({ reply: { mail: _, ...reply }, ...each }) => ({
              ...each,
              reply: { ...reply, ...(chosen && { mail: chosen }) },
            }))
          }
        />
      )}
      <Editor
        field={field}
        conversation={conversation}
        label={mode === 'note' ? text.note : text.reply}
        placeholder={
          mode === 'note' ? text.noteHint : text.replyHint(nameOfPerson(conversation) ?? shared.visitor)
        }
        draft={draft}
        mentions={mentions}
        onDraft={edit}
        onSubmit={(resolves) => begin({ resolves: resolves && mode === 'reply' && !isClosed })}
        uploading={uploading}
        onFold={isSmall && isEmpty(draft[mode]) ? () => setOpened(false) : null}
        actions={<SendButtons mode={mode} isClosed={isClosed} canSend={canSend} onSend={begin} />}
      />
    </>
  )
  return (
    <section
      ref={place}
      className={classes(styles.composer, isFolded && styles.folded)}
      aria-label={text.write}
      onFocus={() => setOpened(true)}
      onPointerDown={() => setOpened(true)}
    >
      <Replying colleagues={colleagues} />
      {isClosed && (
        <Quiet as="p" className={styles.hint}>
          {text.closedHint}
        </Quiet>
      )}
      {earlier?.sendAt && (
        <Quiet as="p" className={styles.hint}>
          {text.wasScheduled(moment(earlier.sendAt))}
        </Quiet>
      )}
      {earlier?.resolves && (
        <Quiet as="p" className={styles.hint}>
          {text.wasToResolve}
        </Quiet>
      )}
      <Tabs
        tabs={[
          { name: 'reply', label: text.reply, content: mode === 'reply' && editor },
          { name: 'note', label: text.note, content: mode === 'note' && editor },
        ]}
        chosen={mode}
        onSelect={write}
      />
      {isOver && <div className={styles.drop}>{text.dropHere}</div>}
      {answered && (
        <AnsweredDialog
          answers={answered.answers}
          onRead={() => {
            setAnswered(null)
            change((each) => withText(each, { seenCount: conversation.message_count }))
            toLatest?.run()
          }}
          onSend={() => {
            setAnswered(null)
            begin(answered.options, true)
          }}
        />
      )}
      {isAsking && (
        <RequiredFieldsDialog
          conversation={conversation}
          mutate={mutate}
          action={text.sendAndResolve}
          onClose={() => setAsking(false)}
          onSaved={async () => {
            submit({ resolves: true })
            return true
          }}
        />
      )}
    </section>
  )
}

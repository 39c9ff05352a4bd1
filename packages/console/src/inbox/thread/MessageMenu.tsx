import type { Conversation, Message } from '@backline/sdk'
import { useRef, useState } from 'react'
import { useLocation, useRouter } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { useCommand } from '../../app/commands.tsx'
import { copyText } from '../../browser/copy-text.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { MenuAt, type MenuItem } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { commandOf, joined, useComposerDraft, withText } from '../model/drafts.ts'
import { EditDialog, RedactDialog, RevisionsDialog } from './dialogs.ts'
import { texts } from './texts.ts'

/** A message and what is open of it. */
type Open =
  | { what: 'menu'; message: Message; anchor: HTMLElement }
  | { what: 'edit' | 'redact' | 'revisions'; message: Message; anchor: HTMLElement | null }

/** The menu of a message, and the dialogs that it opens. One serves all messages of a thread. */
export function useMessageMenu(conversation: Conversation, authorOf: (message: Message) => string) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => {
    setOpen(null)
    // The menu that had the focus before the dialog is gone.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) open?.anchor?.focus()
    })
  }
  const show = useRef({
    menu: (message: Message, anchor: HTMLElement) => setOpen({ what: 'menu', message, anchor }),
    revisions: (message: Message) => setOpen({ what: 'revisions', message, anchor: null }),
  }).current
  const element = open && (
    <>
      {open.what === 'menu' && (
        <MessageMenu
          key={open.message.id}
          conversation={conversation}
          message={open.message}
          anchor={open.anchor}
          onClose={() => setOpen((now) => (now === open ? null : now))}
          onOpen={(what) => setOpen({ ...open, what })}
        />
      )}
      {open.what === 'edit' && <EditDialog message={open.message} onClose={close} />}
      {open.what === 'redact' && <RedactDialog message={open.message} onClose={close} />}
      {open.what === 'revisions' && (
        <RevisionsDialog message={open.message} author={authorOf(open.message)} onClose={close} />
      )}
    </>
  )
  return { ...show, openId: open?.what === 'menu' ? open.message.id : null, element }
}

type MessageMenuProps = {
  conversation: Conversation
  message: Message
  anchor: HTMLElement
  onClose(): void
  onOpen(what: 'edit' | 'redact' | 'revisions'): void
}

function MessageMenu({ conversation, message, anchor, onClose, onOpen }: MessageMenuProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { can, operator } = useEnvironment()
  const { base } = useRouter()
  const [, navigate] = useLocation()
  const pathOf = useConversationPath()
  const [draft, changeDraft] = useComposerDraft(conversation.id)
  const isNote = message.visibility === 'internal'
  /** A note is quoted in a note: a reply would show it to the end user. */
  const mode = isNote ? 'note' : draft.mode
  const write = useCommand(commandOf[mode])
  const keepsFocus = useRef(false)

  const copy = async (value: string, done: string) => {
    if (await copyText(value)) toast.done({ title: done })
    else toast.failed({ title: text.copyFailed })
  }
  const quote = () => {
    keepsFocus.current = true
    changeDraft((each) =>
      withText({ ...each, mode }, { body: `${joined(each[mode].body, quoted(message.body))}\n\n` }),
    )
    write?.run()
  }
  const opening = (what: 'edit' | 'redact' | 'revisions') => () => {
    keepsFocus.current = true
    onOpen(what)
  }

  const { role } = operator
  const isOwnSide = message.author_side === 'operator'
  const isEditable =
    can('messages:write') &&
    (isOwnSide || role === 'admin') &&
    // What was merged into this conversation is closed.
    (isNote || (conversation.status !== 'closed' && message.conversation_id === conversation.id))
  const isRedactable = can('messages:write') && (message.author_side !== 'end_user' || role !== 'agent')
  const link = `${location.origin}${pathOf(conversation.id).slice(1)}#${message.id}`
  const hasText = message.body !== ''
  const groups: (MenuItem | false)[][] = [
    [
      hasText && can('messages:write') && { label: text.quote, icon: 'quote', onSelect: quote },
      hasText && {
        label: text.copyText,
        icon: 'copy',
        onSelect: () => void copy(message.body, text.textCopied),
      },
      { label: text.copyLink, icon: 'link', onSelect: () => void copy(link, text.linkCopied) },
    ],
    [
      isEditable && !message.redacted_at && { label: text.edit, icon: 'edit', onSelect: opening('edit') },
      message.edited_at !== null &&
        !message.redacted_at && { label: text.revisions, icon: 'history', onSelect: opening('revisions') },
      can('api_keys:read') &&
        can('audit_log:read') && {
          label: text.openEvents,
          icon: 'code',
          onSelect: () => navigate(`~${base.replace(/[^/]+$/, 'engineering')}/events?resource=${message.id}`),
        },
    ],
    [
      isRedactable &&
        !message.redacted_at && {
          label: text.redact,
          icon: 'trash',
          isDangerous: true,
          onSelect: opening('redact'),
        },
    ],
  ]
  return (
    <MenuAt
      anchor={anchor}
      groups={groups
        .map((items) => items.filter((each) => each !== false))
        .filter(({ length }) => length > 0)}
      onClose={onClose}
      keepsFocus={() => keepsFocus.current}
    />
  )
}

const quoted = (body: string): string =>
  body
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

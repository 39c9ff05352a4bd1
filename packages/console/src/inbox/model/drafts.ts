import type { Attachment } from '@backline/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'
import { readStored, writeStored } from '../../browser/stored.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import type { MailDraft } from './mail-draft.ts'

export type DraftMode = 'reply' | 'note'
type DraftText = {
  body: string
  attachments: Attachment[]
  /** The template that was inserted last. */
  templateId?: string | null
  /** Replies in conversations with a mailbox. */
  mail?: MailDraft
  /** The number of messages in the conversation when the text was begun. */
  seenCount?: number
  /** Operators whom the writer of a note has chosen. They are mentioned as long as the text names them. */
  mentions?: string[]
  /** How a message was to be sent whose text is here again. */
  earlier?: { sendAt: string | null; resolves: boolean }
}

/**
 * The texts that a person has written and not sent. A reply and a note are apart, so that a note is never sent by
 * mistake.
 */
export type Draft = {
  mode: DraftMode
  /** Null: the text is Markdown if it has marks. */
  isMarkdown: boolean | null
  reply: DraftText
  note: DraftText
}

const nothing: DraftText = { body: '', attachments: [] }
const empty: Draft = { mode: 'reply', isMarkdown: null, reply: nothing, note: nothing }

/** The drafts of this tab, with what was stored when they were read or written. */
const drafts = new Map<string, { stored: string | null; draft: Draft }>()

/** Counts the changes of drafts, in this tab and in others. */
const changes = createStore(0, () => {
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
})
const changed = () => changes.set(changes.get() + 1)

/** Reads a draft, as another tab may have changed it. Whether a reply or a note is open is up to each tab. */
function read(storedAs: string): Draft {
  const stored = readStored(storedAs)
  const known = drafts.get(storedAs)
  if (known?.stored === stored) return known.draft
  const draft = { ...empty, ...parse(stored), ...(known && { mode: known.draft.mode }) }
  drafts.set(storedAs, { stored, draft })
  return draft
}

function parse(stored: string | null): Partial<Draft> {
  try {
    return JSON.parse(stored ?? '{}')
  } catch {
    return {}
  }
}

export const isEmpty = ({ body, attachments, mail }: DraftText): boolean =>
  body === '' && attachments.length === 0 && mail === undefined

function write(storedAs: string, draft: Draft): void {
  writeStored(storedAs, isEmpty(draft.reply) && isEmpty(draft.note) ? null : JSON.stringify(draft))
  drafts.set(storedAs, { stored: readStored(storedAs), draft })
  changed()
}

/** The draft of a conversation. It is kept in the browser, for all its tabs, and so survives a reload. */
export function useComposerDraft(conversationId: string): [Draft, (change: (draft: Draft) => Draft) => void] {
  const storedAs = unsentKey(useEnvironment(), `draft.${conversationId}`)
  const draft = useSyncExternalStore(changes.subscribe, () => read(storedAs))
  const change = useCallback(
    (next: (draft: Draft) => Draft) => write(storedAs, next(read(storedAs))),
    [storedAs],
  )
  return [draft, change]
}

/** Changes the draft of any conversation. */
export function useChangeDraft(): (conversationId: string, change: (draft: Draft) => Draft) => void {
  const environment = useEnvironment()
  return (conversationId, change) => {
    const storedAs = unsentKey(environment, `draft.${conversationId}`)
    write(storedAs, change(read(storedAs)))
  }
}

/** The draft with another text of the chosen kind. */
export const withText = (draft: Draft, change: Partial<DraftText>): Draft => ({
  ...draft,
  [draft.mode]: { ...draft[draft.mode], ...change },
})

/** The draft after a change, which notes what had been written in the conversation when the reply was begun. */
export const begun = (before: Draft, after: Draft, messageCount: number): Draft =>
  before.reply.body === '' && after.reply.body !== ''
    ? { ...after, reply: { ...after.reply, seenCount: messageCount } }
    : after

export const withoutText = (draft: Draft): Draft => ({ ...draft, isMarkdown: null, [draft.mode]: nothing })

/** Two texts as paragraphs of one. */
export const joined = (first: string, second: string): string =>
  first.trim() === '' ? second : second.trim() === '' ? first : `${first.trimEnd()}\n\n${second}`

/** The names of the commands that put the cursor into the composer. */
export const commandOf = { reply: 'write.reply', note: 'write.note' } as const

import type { Attachment } from '@backline/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'

export type DraftMode = 'reply' | 'note'
type DraftText = { body: string; attachments: Attachment[] }

/**
 * The texts that a person has written and not sent. A reply and a note are apart, so that a note is never sent by
 * mistake.
 */
export type Draft = { mode: DraftMode; isMarkdown: boolean; reply: DraftText; note: DraftText }

const nothing: DraftText = { body: '', attachments: [] }
const empty: Draft = { mode: 'reply', isMarkdown: false, reply: nothing, note: nothing }

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()

function read(storedAs: string): Draft {
  const known = drafts.get(storedAs)
  if (known) return known
  let draft = empty
  try {
    draft = { ...empty, ...JSON.parse(localStorage.getItem(storedAs) ?? '{}') }
  } catch {
    localStorage.removeItem(storedAs)
  }
  drafts.set(storedAs, draft)
  return draft
}

const isEmpty = ({ body, attachments }: DraftText): boolean => body === '' && attachments.length === 0

function write(storedAs: string, draft: Draft): void {
  drafts.set(storedAs, draft)
  if (isEmpty(draft.reply) && isEmpty(draft.note)) localStorage.removeItem(storedAs)
  else localStorage.setItem(storedAs, JSON.stringify(draft))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The draft of a conversation. It is kept in the browser, and so survives a reload. */
export function useDraft(conversationId: string): [Draft, (change: (draft: Draft) => Draft) => void] {
  const storedAs = unsentKey(useEnvironment(), `draft.${conversationId}`)
  const draft = useSyncExternalStore(subscribe, () => read(storedAs))
  const change = useCallback(
    (next: (draft: Draft) => Draft) => write(storedAs, next(read(storedAs))),
    [storedAs],
  )
  return [draft, change]
}

/** The draft with another text of the chosen kind. */
export const withText = (draft: Draft, change: Partial<DraftText>): Draft => ({
  ...draft,
  [draft.mode]: { ...draft[draft.mode], ...change },
})

export const withoutText = (draft: Draft): Draft => ({ ...draft, [draft.mode]: nothing })

import { type Draft, joined, useChangeDraft } from './drafts.ts'
import { mailDraftOf } from './mail-draft.ts'
import { hasMarks } from './markup.ts'
import { type Outgoing, useSending } from './outbox.tsx'

/** Makes a draft again of a message that was not sent. False if it is too late. */
export function useTakeBack(): (key: string) => boolean {
  const { takeBack } = useSending()
  const changeDraft = useChangeDraft()
  return (key) => {
    const outgoing = takeBack(key)
    if (outgoing) changeDraft(outgoing.conversationId, (draft) => withOutgoing(draft, outgoing))
    return outgoing !== null
  }
}

function withOutgoing(draft: Draft, { body, attachments, seenCount, state }: Outgoing): Draft {
  const mode = body.visibility === 'internal' ? 'note' : 'reply'
  const earlier = { sendAt: body.send_at ?? null, resolves: body.set_status === 'resolved' }
  return {
    ...draft,
    mode,
    // A text with marks was to stay one.
    isMarkdown: body.body_format === 'markdown' || (hasMarks(body.body ?? '') ? false : draft.isMarkdown),
    [mode]: {
      body: joined(body.body ?? '', draft[mode].body),
      attachments: [...attachments, ...draft[mode].attachments],
      // One that the server refused may have been deleted.
      templateId: state === 'refused' ? null : (body.template_id ?? null),
      seenCount,
      mentions: [...(body.mentions ?? []), ...(draft[mode].mentions ?? [])],
      earlier,
      ...(body.email ? mailDraftOf(body.email) : draft[mode].mail && { mail: draft[mode].mail }),
    },
  }
}

import { ConflictError, type Conversation, type RequestOptions } from '@backline/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ifUnchanged, isOutdated } from '../../data/conditional-write.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { actorOf, describeEvent } from '../events/describe-event.ts'
import { useEventWording } from '../events/use-event-wording.ts'
import { newer, patchConversation, useIncluded } from '../model/conversations.ts'
import { inOrder } from '../model/in-order.ts'
import type { MessagePages, Timeline } from '../model/messages.ts'
import { nameOfPerson } from '../model/people.ts'
import { useUndoChange } from '../undo/use-undo-change.ts'
import { texts } from './texts.ts'

/** A change of a conversation, by one of its actions or of its fields. */
export type ConversationChange = {
  /** The title of the message about a failure. */
  failed: string
  /** The title of the offer to undo it. Without it, there is no offer. */
  done?: string
  /** Called once it is undone. */
  onUndone?(): void
  /** Shown at once, before the server has answered. */
  optimistic?: Partial<Conversation>
  run(options: RequestOptions): PromiseLike<Conversation>
  /** Shows the faults at the fields of a form. Without it, they are told as a message. */
  onInvalid?(faults: Faults): void
  /** The fields of the form. If others have faults, they are told as a message. Without it, the form tells all. */
  fields?: string[]
}

const mostAttempts = 3

/**
 * Changes the version of the conversation that is shown. If somebody else has changed it meanwhile, nothing
 * is written: the page shows what is there now, and says who changed what.
 */
export function useConversationMutation(conversation: Conversation) {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline, operator } = useEnvironment()
  const include = useIncluded()
  const wording = useEventWording()
  const undoChange = useUndoChange()
  const { id } = conversation
  const current = () => cache.getQueryData<Conversation>(['conversations', id]) ?? conversation

  async function readAgain(): Promise<Conversation> {
    const [fresh] = await Promise.all([
      backline.conversations.retrieve(id, { include }),
      cache.refetchQueries({ queryKey: ['conversations', id, 'timeline'] }),
    ])
    patchConversation(cache, id, (known) => newer(known, fresh))
    return fresh
  }

  /** The changes of others since a version, in words; empty if there are none. */
  function changesSince(base: Conversation, fresh: Conversation): string[] {
    const events = cache.getQueryData<Timeline>(['conversations', id, 'timeline'])?.events ?? []
    const person = nameOfPerson(base) ?? text.nobody
    const changes = events
      .filter(({ resource, actor }) => resource.version > base.version && actor.operator_id !== operator.id)
      .flatMap((event) => {
        const what = describeEvent(event, wording)
        return what === null ? [] : [`${actorOf(event, wording, person)}: ${what}.`]
      })
    return hasMessageOfOthers(cache, base, fresh, operator.id) ? [...changes, text.newMessage] : changes
  }

  async function attempt(change: ConversationChange, attempts: number): Promise<boolean> {
    const base = current()
    let isAnswered = false
    patchConversation(cache, id, (known) => (isAnswered ? known : { ...known, ...change.optimistic }))
    try {
      const next = await change.run(ifUnchanged(base))
      isAnswered = true
      patchConversation(cache, id, (known) => newer(known, next))
      if (change.done)
        undoChange({ title: change.done, before: base, after: next, onUndone: change.onUndone })
      return true
    } catch (error) {
      isAnswered = true
      patchConversation(cache, id, (known) => (known.version > base.version ? known : base))
      const isConflict = isOutdated(error) || error instanceof ConflictError
      const fresh = isConflict ? await readAgain().catch(() => null) : null
      const changes = fresh ? changesSince(base, fresh) : []
      if (isOutdated(error) && fresh && changes.length === 0 && attempts > 1)
        return attempt(change, attempts - 1)
      const faults = Faults.of(error)
      const isShown = change.fields ? faults.areAllIn(change.fields) : faults.count > 0
      if (isShown && change.onInvalid) change.onInvalid(faults)
      else if (changes.length > 0)
        toast.failed({ title: text.changedMeanwhile, detail: `${changes.join(' ')} ${text.nowShown}` })
      else toast.failed({ title: change.failed, detail: reasonOf(error) })
      return false
    } finally {
      void cache.invalidateQueries({ queryKey: ['conversations', id, 'transitions'] })
    }
  }

  /** True if it was done. */
  return (change: ConversationChange): Promise<boolean> => inOrder(id, () => attempt(change, mostAttempts))
}

function hasMessageOfOthers(
  cache: QueryClient,
  base: Conversation,
  fresh: Conversation,
  operatorId: string,
): boolean {
  if (fresh.message_count <= base.message_count) return false
  const list = cache.getQueryData<MessagePages>(['conversations', base.id, 'messages'])
  const since =
    list?.pages.flatMap(({ data }) => data.filter(({ sequence }) => sequence! > base.message_count)) ?? []
  return (
    since.length < fresh.message_count - base.message_count ||
    since.some((each) => each.operator_id !== operatorId)
  )
}

import type { Backline, Conversation, MacroActionInput, RequestOptions } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../app/undo.tsx'
import { ifUnchanged } from '../../data/conditional-write.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { newer, patchConversation, useIncluded } from '../model/conversations.ts'
import { inOrder } from '../model/in-order.ts'
import { nameOfPerson } from '../model/people.ts'
import { changesBetween, inverseOf } from './inverse.ts'
import { texts } from './texts.ts'

export type DoneChange = {
  /** Names the change. */
  title: string
  /** The conversation just before and just after the change. */
  before: Conversation
  after: Conversation
  /** Called once it is undone. */
  onUndone?: (() => void) | undefined
}

/**
 * Offers to undo a change of a conversation. The server gets the former values as further changes, unless somebody has
 * changed them since.
 */
export function useUndoChange() {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const include = useIncluded()
  const offer = useOfferUndo()

  async function undo({ before, after, onUndone }: DoneChange): Promise<void> {
    const { id } = before
    let now = await backline.conversations.retrieve(id, { include })
    if (isChangedSince(before, after, now))
      return void toast.failed({ title: text.undoFailed, detail: text.changedSince })
    try {
      for (const step of stepsBack(before, after)) now = newer(now, await step(backline, ifUnchanged(now)))
      toast.done({ title: text.undone })
      onUndone?.()
    } finally {
      patchConversation(cache, id, (known) => newer(known, now))
      void cache.invalidateQueries({ queryKey: ['conversations', id, 'transitions'] })
    }
  }
  return (change: DoneChange): void => {
    const { title, before } = change
    if (stepsBack(before, change.after).length === 0) return
    offer({
      title,
      detail: before.subject ?? nameOfPerson(before) ?? undefined,
      undo: () =>
        void inOrder(before.id, () => undo(change)).catch((error) =>
          toast.failed({ title: text.undoFailed, detail: reasonOf(error) }),
        ),
    })
  }
}

/** Tags are added and removed one by one: others may have changed more of them. */
function isChangedSince(before: Conversation, after: Conversation, now: Conversation): boolean {
  const since = changesBetween(after, now)
  return Object.keys(changesBetween(before, after)).some((field) => field !== 'tags' && field in since)
}

const fieldsWithoutAction = ['company_id', 'mailbox_id', 'language'] as const

type Step = (backline: Backline, options: RequestOptions) => PromiseLike<Conversation>

/** The requests that give a conversation the values back that it had. */
function stepsBack(before: Conversation, after: Conversation): Step[] {
  const { id, hold } = before
  const changes = changesBetween(before, after)
  const steps = inverseOf(changes).map(
    (action): Step =>
      (backline, options) =>
        perform(backline, id, action, options),
  )
  const former = fieldsWithoutAction
    .filter((field) => field in changes)
    .map((field) => [field, before[field]])
  if (former.length > 0)
    steps.push(({ conversations }, options) => conversations.update(id, Object.fromEntries(former), options))
  if (hold && after.hold === null) {
    const { hold_reason_id, note, until } = hold
    const body = { hold_reason_id, note, ...(until && { until }) }
    steps.push(({ conversations }, options) => conversations.hold(id, body, options))
  }
  return steps
}

function perform(
  { conversations }: Backline,
  id: string,
  action: MacroActionInput,
  options: RequestOptions,
): PromiseLike<Conversation> {
  switch (action.type) {
    case 'reopen':
      return conversations.reopen(id, options)
    case 'resume':
      return conversations.resume(id, options)
    case 'resolve':
      return conversations.resolve(id, {}, options)
    case 'assign':
      return conversations.assign(id, { assignee_id: action.operator_id }, options)
    case 'set_department':
      return conversations.update(id, { department_id: action.department_id }, options)
    case 'set_category':
      return conversations.update(id, { category_id: action.category_id }, options)
    case 'set_priority':
      return conversations.update(id, { priority: action.priority }, options)
    case 'set_custom_field':
      return conversations.update(id, { custom_fields: { [action.key]: action.value } }, options)
    case 'add_tags':
      return conversations.tags.change(id, { add: action.tags }, options)
    case 'remove_tags':
      return conversations.tags.change(id, { remove: action.tags }, options)
    default:
      throw new Error(`${action.type} takes nothing back`)
  }
}

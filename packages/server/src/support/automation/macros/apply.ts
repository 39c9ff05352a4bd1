import type { Instant } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { formerValues } from '../../../platform/unit-of-work/tracked-row.ts'
import { setCause } from '../../desk/conversations/change-facts.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { conversationWire } from '../../desk/conversations/schema.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { changesByKey } from '../../vocabulary/changes.ts'
import type { Action } from './action-schema.ts'
import type { Application, ApplyRequest, Preview } from './application-schema.ts'
import { takeAction } from './effects.ts'
import { macrosInUse } from './entity.ts'
import { insertMacroUses, type Macro } from './queries.ts'
import { refusalOf } from './refusals.ts'

export async function applyMacro(change: Change, id: string, request: ApplyRequest): Promise<Application> {
  const { conversation, messages } = await perform(change, id, request)
  return { conversation, messages }
}

/**
 * Computes the result of `applyMacro` by running it, and then discards everything except the response for replays.
 */
export async function previewMacro(change: Change, id: string, request: ApplyRequest): Promise<Preview> {
  const { before, conversation, messages } = await perform(change, id, request)
  change.discard()
  return { conversation, messages, changes: changesOf(before, conversation, change.now) }
}

type Performance = Application & { before: Conversation }

async function perform(
  change: Change,
  id: string,
  { conversation_id, skip_messages: skipsMessages = false }: ApplyRequest,
): Promise<Performance> {
  const macro = await change.rows.peek(macrosInUse, id)
  requireScopes(change.ctx.principal.allows, ...scopesOfActions(macro.actions))
  const before = await conversationFor(change, macro, conversation_id)
  return { before, ...(await performActions(change, macro, before, skipsMessages)) }
}

/** The scopes that actions need. */
export const scopesOfActions = (actions: Action[]): string[] =>
  actions.some(({ type }) => type === 'reply')
    ? ['conversations:write', 'messages:write']
    : ['conversations:write']

/**
 * Runs all actions in order, each on the result of the previous one. If one fails, all fail.
 * @param id of a macro
 * @param skipsMessages leaves out those that write a message
 */
export async function performActions(
  change: Change,
  { id, actions }: { id: string | null; actions: Action[] },
  before: Conversation,
  skipsMessages = false,
): Promise<Application> {
  setCause(change, 'macro')
  let conversation = before
  const messages: Message[] = []
  for (const [index, action] of actions.entries()) {
    if (skipsMessages && (action.type === 'reply' || action.type === 'note')) continue
    try {
      const effect = await takeAction(change, conversation, action)
      conversation = effect.conversation
      if (effect.message) messages.push(effect.message)
    } catch (error) {
      throw error instanceof ApiError ? refusalOf(error, index, action) : error
    }
  }
  if (id !== null) change.effects.writeBatched(insertMacroUses, { macro_id: id, used_at: change.now })
  return { conversation, messages }
}

const pointer = '/conversation_id'

async function conversationFor(change: Change, macro: Macro, id: string): Promise<Conversation> {
  await change.lock(uuidOf('conv', id)!)
  const references = new References(change)
  const conversation = await references.to(conversations, pointer, id)
  const detail = conversation && whyNot(macro, conversation)
  if (detail) references.fault({ pointer, code: 'not_allowed', detail })
  references.check()
  change.startAfter(conversation!)
  return conversation!
}

/** The reason why a macro cannot be applied to a conversation; null if it can. */
export function whyNot(
  { archived, department_ids }: Pick<Macro, 'archived' | 'department_ids'>,
  { department_id }: Conversation,
): string | null {
  if (archived) return 'cannot be used with an archived macro'
  if (department_ids.length === 0) return null
  return department_id !== null && department_ids.includes(department_id)
    ? null
    : 'must belong to one of the departments of the macro'
}

/** The fields of a conversation that actions have changed. */
export function changesOf(before: Conversation, after: Conversation, now: Instant): Preview['changes'] {
  const [was, is] = [conversationWire.present(before, now), conversationWire.present(after, now)]
  const former = Object.entries(formerValues(was, is))
  return changesByKey(former.map(([field, from]) => [field, { from, to: is[field] }]))
}

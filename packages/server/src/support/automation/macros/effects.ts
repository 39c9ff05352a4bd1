import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import {
  actOn,
  assignConversation,
  changeTags,
  holdConversation,
  patchConversation,
  requireActingOperator,
} from '../../desk/conversations/actions.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { addMessage } from '../../desk/messages/actions.ts'
import type { Message } from '../../desk/messages/queries.ts'
import type { Action } from './action-schema.ts'

type Effect = { conversation: Conversation; message?: Message }

/** Has the same effect on a conversation as the route of the action. */
export async function takeAction(change: Change, from: Conversation, action: Action): Promise<Effect> {
  switch (action.type) {
    case 'reply': {
      const { body, template_id, set_status } = action
      return addMessage(change, from, {
        author_side: 'operator',
        ...(body === null ? { template_id } : { body }),
        ...(set_status === null ? {} : { set_status }),
      })
    }
    case 'note':
      return addMessage(change, from, {
        author_side: 'operator',
        visibility: 'internal',
        body: action.body,
      })
    default:
      return { conversation: await changed(change, from, action) }
  }
}

type Silent = Exclude<Action, { type: 'reply' | 'note' }>

async function changed(change: Change, from: Conversation, action: Silent): Promise<Conversation> {
  switch (action.type) {
    case 'set_priority':
      return patchConversation(change, from, { priority: action.priority })
    case 'set_category':
      return patchConversation(change, from, { category_id: action.category_id })
    case 'set_department':
      return patchConversation(change, from, { department_id: action.department_id })
    case 'assign':
      return assignConversation(change, from, { assignee_id: await assigneeOf(change, action.operator_id) })
    case 'set_custom_field':
      return patchConversation(change, from, { custom_fields: { [action.key]: action.value } })
    case 'add_tags':
      return changeTags(change, from, { add: action.tags })
    case 'remove_tags':
      return changeTags(change, from, { remove: action.tags })
    case 'hold': {
      const { hold_reason_id, note, duration_seconds: seconds } = action
      const until = seconds === null ? null : plusSeconds(change.now, seconds)
      return holdConversation(change, from, { hold_reason_id, note, until })
    }
    default:
      return actOn(change, from, action.type)
  }
}

const assigneeOf = async (change: Change, operatorId: string | null): Promise<string | null> =>
  operatorId === 'me' ? typeId('op', (await requireActingOperator(change)).id) : operatorId

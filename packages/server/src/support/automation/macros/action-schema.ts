import { typeIdSuffixPattern } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  List,
  Nullable,
  Optional,
  type Static,
  Tagged,
  Text,
  Type,
  type ValueFault,
} from '../../../platform/resource/schema.ts'
import { settableStatuses } from '../../desk/conversations/lifecycle.ts'
import type { Value } from '../../properties/custom-fields/values/queries.ts'
import { CustomFieldValue, fieldKey } from '../../properties/custom-fields/values/schema.ts'
import { maxTags, priorities } from '../../vocabulary/conversations.ts'

const tenYears = 10 * 365 * 24 * 60 * 60

const tags = List(Text(1, 50), maxTags, { minItems: 1, description: 'Tag names, case-insensitive.' })
const operator = Type.String({
  maxLength: 29,
  pattern: `^(me|op_${typeIdSuffixPattern})$`,
  description:
    'The operator to assign; `me` is the one in `Backline-Operator`, null unassigns the conversation.',
  examples: ['me'],
})

/** The members of each action besides its type. */
const members = {
  set_priority: { priority: Enum(priorities, { description: 'The new priority.' }) },
  set_category: {
    category_id: Nullable(Id('cat'), { description: 'The new category; null removes it.' }),
  },
  set_department: {
    department_id: Nullable(Id('dept'), { description: 'The new department; null removes it.' }),
  },
  assign: { operator_id: Nullable(operator) },
  set_custom_field: {
    key: fieldKey('The `key` of a custom field of conversations.'),
    value: CustomFieldValue('The new value, according to the `type` of the field; null removes it.'),
  },
  add_tags: { tags },
  remove_tags: { tags },
  reply: {
    body: Nullable(Text(1, 65_536), {
      description: 'The text of the public message; required unless `template_id` is set.',
    }),
    template_id: Nullable(Id('tmpl'), {
      description: 'The message template from which the text is rendered. Set either it or `body`.',
    }),
    set_status: Nullable(Enum(settableStatuses), {
      description:
        'The status of the conversation after the message; null means `pending` if it was new or open.',
    }),
  },
  note: { body: Text(1, 65_536, { description: 'The text of the internal note.' }) },
  hold: {
    hold_reason_id: Id('hold', { description: 'The hold reason.' }),
    note: Nullable(Text(1, 2000), { description: 'A note for the hold.' }),
    duration_seconds: Nullable(Int(1, tenYears), {
      description:
        'Duration of the hold, counted from when the macro is applied; null means the default of the hold reason.',
    }),
  },
  resume: {},
  resolve: {},
  reopen: {},
  close: {},
}

/** An action as stored and shown, with all members. Its value has any type, so that a list is shown as a list. */
export const Action = Tagged(
  'type',
  {
    ...members,
    set_custom_field: {
      key: members.set_custom_field.key,
      value: Type.Unsafe<Value | null>({ description: 'The new value; null removes it.' }),
    },
  },
  { title: 'MacroAction' },
)
export type Action = Static<typeof Action>

const { reply, hold } = members

/** An action in a request. */
export const NewAction = Tagged(
  'type',
  {
    ...members,
    reply: {
      body: Optional(reply.body),
      template_id: Optional(reply.template_id),
      set_status: Optional(reply.set_status),
    },
    hold: {
      hold_reason_id: hold.hold_reason_id,
      note: Optional(hold.note),
      duration_seconds: Optional(hold.duration_seconds),
    },
  },
  { title: 'MacroAction' },
)
export type NewAction = Static<typeof NewAction>

/** A reply is a text or a template, like any message. */
export function faultsInText(action: NewAction): ValueFault[] {
  if (action.type !== 'reply') return []
  const { body, template_id } = action
  if (body == null && template_id == null)
    return [{ pointer: '/body', code: 'required', detail: 'is required unless template_id is set' }]
  if (body == null || template_id == null) return []
  return [{ pointer: '/body', code: 'not_allowed', detail: 'cannot be combined with template_id' }]
}

/** Completes the members of an action in one order, so that equal actions have equal texts. */
export function completed(action: NewAction): Action {
  const given: Record<string, unknown> = action
  const all = Object.keys(members[action.type]).map((name) => [name, given[name] ?? null])
  return { type: action.type, ...Object.fromEntries(all) }
}

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
} from '../../../platform/resource/schema.ts'
import { settableStatuses } from '../../desk/conversations/lifecycle.ts'
import { maxTags, priorities } from '../../vocabulary/conversations.ts'

const tenYears = 10 * 365 * 24 * 60 * 60

const tags = List(Text(1, 50), maxTags, { minItems: 1, description: 'Tag names, case-insensitive.' })
const text = Text(1, 65_536)
const operator = Type.String({
  maxLength: 29,
  pattern: `^(me|op_${typeIdSuffixPattern})$`,
  description: '`me` is the operator in `Backline-Operator`; null unassigns the conversation.',
  examples: ['me'],
})

/** The members of each action besides its type. */
const members = {
  set_priority: { priority: Enum(priorities) },
  set_category: { category_id: Nullable(Id('cat')) },
  set_department: { department_id: Nullable(Id('dept')) },
  assign: { operator_id: Nullable(operator) },
  add_tags: { tags },
  remove_tags: { tags },
  reply: {
    body: Nullable(text, { description: 'The text of the message; required unless `template_id` is set.' }),
    template_id: Nullable(Id('tmpl')),
    set_status: Nullable(Enum(settableStatuses)),
  },
  note: { body: text },
  hold: {
    hold_reason_id: Id('hold'),
    note: Nullable(Text(1, 2000)),
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

/** An action as stored and shown, with all members. */
export const Action = Tagged('type', members, { title: 'MacroAction' })
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

/** Completes the members of an action in one order, so that equal actions have equal texts. */
export function completed(action: NewAction): Action {
  const given: Record<string, unknown> = action
  const all = Object.keys(members[action.type]).map((name) => [name, given[name] ?? null])
  return { type: action.type, ...Object.fromEntries(all) }
}

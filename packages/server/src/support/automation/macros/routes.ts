import type { ErrorCode } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { crud } from '../../../platform/resource/crud.ts'
import { write } from '../../../platform/resource/resource.ts'
import { createMacro, deleteMacro, updateMacro } from './actions.ts'
import { ApplyRequest, applicationWire, previewWire } from './application-schema.ts'
import { applyMacro, previewMacro } from './apply.ts'
import { macroOrders, macroTable, usableIn } from './queries.ts'
import { MacroFilters, MacroPatch, macroExample, macroWire, NewMacro } from './schema.ts'

const unused = { ...macroExample, usage_count: 0, last_used_at: null }

const refusals: ErrorCode[] = ['invalid_transition', 'conversation_closed', 'template_variable_missing']
const conversationExample = { conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c' }
const notes =
  'Also requires the scope `conversations:write`, and `messages:write` if an action is `reply`, or a `hold` whose hold reason has a `follow_up`. If an action fails, nothing is changed: the error has the code of that action, `params.action_index` (from 0) and `params.action_type`; errors in its fields are reported at `/conversation_id`. Replies and notes are written by the operator in `Backline-Operator`, and `me` refers to that operator.'

export const routes = [
  ...crud({
    path: '/macros',
    family: 'macros',
    prefix: 'mac',
    noun: 'macro',
    wire: macroWire,
    table: macroTable,
    orders: macroOrders,
    filters: MacroFilters,
    conditions: ({ department_id }) =>
      department_id === undefined ? [] : [usableIn(uuidOf('dept', department_id)!)],
    create: {
      description:
        'A macro performs up to 20 actions on a conversation at once. What the actions refer to must exist and not be archived when the macro is created; whether they are possible is checked when it is applied.',
      body: NewMacro,
      example: {
        name: macroExample.name,
        actions: [
          { type: 'set_priority', priority: 'low' },
          { type: 'add_tags', tags: ['refund'] },
          { type: 'reply', body: 'Your refund is on its way.', set_status: 'resolved' },
        ],
        position: macroExample.position,
      },
      replyExample: unused,
      handle: createMacro,
    },
    list: { description: 'Lists the macros that operators can apply, in the order in which to offer them.' },
    read: { description: 'Returns a macro with its actions and how often it was applied.' },
    update: {
      description:
        '`actions` and `department_ids` are replaced as a whole. An archived macro can no longer be applied.',
      body: MacroPatch,
      example: { position: 20 },
      replyExample: { ...macroExample, position: 20, version: 2 },
      handle: (change, patch, id) => updateMacro(change, id, patch),
    },
    remove: {
      description: 'Conversations to which the macro was applied stay as they are.',
      handle: deleteMacro,
    },
  }),
  write({
    method: 'POST',
    path: '/macros/{id}/apply',
    name: 'applyMacro',
    summary: 'Apply a macro to a conversation',
    description: `Performs all actions of the macro in order, or none of them. ${notes}`,
    scope: 'macros:read',
    params: { id: 'mac' },
    errors: refusals,
    body: ApplyRequest,
    bodyExample: conversationExample,
    reply: applicationWire,
    versionOf: null,
    handle: (change, { params, body }) => applyMacro(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: '/macros/{id}/preview',
    name: 'previewMacro',
    summary: 'Preview a macro on a conversation',
    description: `Returns the result of applying the macro without writing anything; ids and times will differ when it is applied. ${notes}`,
    scope: 'macros:read',
    params: { id: 'mac' },
    errors: refusals,
    body: ApplyRequest,
    bodyExample: conversationExample,
    reply: previewWire,
    versionOf: null,
    handle: (change, { params, body }) => previewMacro(change, params.id, body),
  }),
]

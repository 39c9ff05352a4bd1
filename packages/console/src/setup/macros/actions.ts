import type { MacroAction } from '@backline/sdk'

export type ActionType = MacroAction['type']
export type ActionOf<Type extends ActionType> = Extract<MacroAction, { type: Type }>

/** New actions, in the order in which they are offered. */
export const newActions: { [Type in ActionType]: ActionOf<Type> } = {
  reply: { type: 'reply', body: '', template_id: null, set_status: null },
  note: { type: 'note', body: '' },
  assign: { type: 'assign', operator_id: 'me' },
  set_department: { type: 'set_department', department_id: null },
  set_category: { type: 'set_category', category_id: null },
  set_priority: { type: 'set_priority', priority: 'high' },
  add_tags: { type: 'add_tags', tags: [] },
  remove_tags: { type: 'remove_tags', tags: [] },
  set_custom_field: { type: 'set_custom_field', key: '', value: null },
  hold: { type: 'hold', hold_reason_id: '', note: null, duration_seconds: null },
  resume: { type: 'resume' },
  resolve: { type: 'resolve' },
  reopen: { type: 'reopen' },
  close: { type: 'close' },
}

export const actionTypes = Object.keys(newActions) as ActionType[]

export type MacroDraft = {
  name: string
  description: string
  actions: MacroAction[]
  department_ids: string[]
}

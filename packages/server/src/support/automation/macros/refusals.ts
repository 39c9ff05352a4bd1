import { ApiError, type FieldError } from '../../../platform/kernel/errors.ts'
import type { Action } from './action-schema.ts'

/** Fields of the requests of single actions, by their names in macros. */
const names: Record<string, string> = {
  assignee_id: 'operator_id',
  until: 'duration_seconds',
  add: 'tags',
  remove: 'tags',
}

const valuesPath = '/custom_fields/'

/**
 * Converts the error of an action to the error of the macro: the same code, with the number of the action. Its
 * invalid fields belong to the macro; of this request, only the conversation can be invalid. A value that the
 * conversation lacks is named as without a macro.
 */
export function refusalOf({ code, params, details }: ApiError, index: number, action: Action): ApiError {
  const errors = details.errors?.map((fault) => ofConversation(fault, index, action))
  return new ApiError(
    code,
    { ...params, action_index: index, action_type: action.type },
    { ...details, ...(errors ? { errors } : {}) },
  )
}

function ofConversation(fault: FieldError, index: number, { type }: Action): FieldError {
  if (!('pointer' in fault)) return fault
  if (fault.code === 'required' && fault.pointer.startsWith(valuesPath)) return fault
  const [, field = '', ...inside] = fault.pointer.split('/')
  const place = [names[field] ?? field, ...inside].join('/')
  return {
    pointer: '/conversation_id',
    code: 'not_allowed',
    detail: `does not allow action ${index} (${type}): ${place} ${fault.detail}`,
  }
}

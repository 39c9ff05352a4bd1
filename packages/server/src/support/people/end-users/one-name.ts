import { type FieldError, unless } from '../../../platform/kernel/errors.ts'

/** A person in a request body: named by the id in the client's system or by the id here, not by both. */
export type Named = { external_user_id?: string; end_user_id?: string }

/** The error of a body that names its person not at all, or twice. */
export function namingFault({ external_user_id, end_user_id }: Named): FieldError | null {
  if (external_user_id === undefined && end_user_id === undefined)
    return {
      pointer: '/external_user_id',
      code: 'required',
      detail: 'is required unless end_user_id is set',
      [unless]: '/end_user_id',
    }
  if (external_user_id !== undefined && end_user_id !== undefined)
    return {
      pointer: '/end_user_id',
      code: 'not_allowed',
      detail: 'cannot be combined with external_user_id',
    }
  return null
}

import type { Check } from '../../../platform/resource/schema.ts'

/** A person in a request body: named by the id in the client's system or by the id here, not by both. */
export type Named = { external_user_id?: string; end_user_id?: string }

/** The check of a body that names one person. */
export const namesOnePerson: [Check<Named>, (keyof Named)[]] = [
  ({ external_user_id, end_user_id }) => {
    if (external_user_id === undefined && end_user_id === undefined)
      return [
        { pointer: '/external_user_id', code: 'required', detail: 'is required unless end_user_id is set' },
      ]
    if (external_user_id === undefined || end_user_id === undefined) return []
    return [
      { pointer: '/end_user_id', code: 'not_allowed', detail: 'cannot be combined with external_user_id' },
    ]
  },
  ['external_user_id', 'end_user_id'],
]

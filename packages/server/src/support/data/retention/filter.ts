import { ApiError } from '../../../platform/kernel/errors.ts'
import { type Fault, type Filter, readFilter } from '../../../platform/lists/filter.ts'
import { conversationFields } from '../../desk/conversations/finding/fields.ts'
import { anyDefinitions, type Definitions } from '../../properties/custom-fields/definitions.ts'

const whyNoMe = 'must not be me in the filter of a retention policy, which no operator reads'

const read = (json: unknown, definitions: Definitions) =>
  readFilter(json, { fields: conversationFields(definitions), me: null, whyNoMe })

/** The faults that a filter has whatever custom fields there are. */
export const faultsIn = (json: unknown): Fault[] => faultsWith(json, anyDefinitions)

export function faultsWith(json: unknown, definitions: Definitions): Fault[] {
  const found = read(json, definitions)
  return 'faults' in found ? found.faults : []
}

/**
 * The conversations that match a filter and were closed before a time.
 * @throws ApiError `view_broken` for a filter that names what is no more
 */
export function closedBefore(json: unknown, time: string, definitions: Definitions): Filter {
  const isClosed = {
    all: [
      { field: 'status', op: 'is', value: 'closed' },
      { field: 'closed_at', op: 'lt', value: time },
    ],
  }
  const [asked, closed] = [read(json, definitions), read(isClosed, definitions)]
  if ('faults' in asked) throw new ApiError('view_broken', { pointer: asked.faults[0]!.pointer })
  if ('faults' in closed) throw new Error('The filter of closed conversations is not valid')
  return { all: [asked.filter, closed.filter] }
}

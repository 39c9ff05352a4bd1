import { ApiError, type FieldError, ofOneValue, unless } from '../kernel/errors.ts'
import type { Fault, Filter } from './tree.ts'

/** The filter of the query parameter `filter`. @throws ApiError `invalid_query` with all faults of it */
export function filterOfQuery(read: { filter: Filter } | { faults: Fault[] }): Filter {
  if ('filter' in read) return read.filter
  throw new ApiError(
    'invalid_query',
    {},
    { errors: read.faults.map((fault) => ({ parameter: 'filter', ...fault })) },
  )
}

/**
 * Faults of the member `filter` of a body.
 * @param chosenBy the pointer of the member by which the fields of the filter are chosen; null if none chooses them
 */
export const faultsOfBody = (faults: Fault[], chosenBy: string | null): FieldError[] =>
  faults.map((fault) => ({
    ...fault,
    pointer: `/filter${fault.pointer}`,
    ...(chosenBy === null ? { [ofOneValue]: true as const } : { [unless]: chosenBy }),
  }))

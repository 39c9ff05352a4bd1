import { ApiError, type FieldError } from '../kernel/errors.ts'
import { nearest } from '../kernel/nearest.ts'

/*
 * Names that select event types: a type, `conversation.*` for all types of a resource, or `*`. The feed, the stream,
 * the audit log and webhook endpoints use them.
 */

/** All valid names for these types. */
export function eventNames(types: string[]): string[] {
  const ofResources = new Set(types.map((type) => `${type.split('.')[0]}.*`))
  return ['*', ...ofResources, ...types]
}

/** Does one of the names select this type? */
export const means = (names: readonly string[], type: string): boolean =>
  names.some(
    (name) => name === '*' || name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
  )

/** @throws ApiError `invalid_query` that lists the valid names for this parameter */
export function parseTypes(
  text: string | undefined,
  possible: readonly string[],
  parameter = 'types',
): string[] | null {
  if (text === undefined) return null
  const names = text.split(',')
  const unknown = names.filter((name) => !possible.includes(name))
  if (unknown.length === 0) return names.includes('*') ? null : names
  const meant = nearest(unknown[0]!, [...possible])
  const hint = meant ? `did you mean ${meant}?` : 'GET /v1/event_types lists them'
  const fault: FieldError = {
    parameter,
    code: 'not_allowed',
    detail: `must be a comma-separated list of event types; ${unknown[0]} is none: ${hint}`,
  }
  throw new ApiError('invalid_query', {}, { errors: [fault] })
}

import { ApiError, type FieldError } from '../kernel/errors.ts'
import { nearest } from '../kernel/spelling.ts'

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
  const fault: FieldError = {
    parameter,
    code: 'not_allowed',
    detail: `must be a comma-separated list of event types; ${hintFor(unknown[0]!, possible)}`,
  }
  throw new ApiError('invalid_query', {}, { errors: [fault] })
}

/** Names the type that was probably meant, otherwise all types of the resource. */
function hintFor(name: string, possible: readonly string[]): string {
  const [resource = ''] = name.split('.')
  const ofResource = possible.filter((each) => each.startsWith(`${resource}.`))
  const verbOf = (each: string) => each.slice(resource.length + 1)
  const verb = nearest(verbOf(name), ofResource.map(verbOf))
  if (verb !== null) return `did you mean ${resource}.${verb}?`
  if (ofResource.length > 0) return `those of this resource are ${ofResource.join(', ')}`
  const meant = nearest(name, [...possible])
  return meant ? `did you mean ${meant}?` : 'GET /v1/event_types lists all'
}

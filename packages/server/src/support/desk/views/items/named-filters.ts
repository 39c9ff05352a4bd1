import { ApiError, type FieldError } from '../../../../platform/kernel/errors.ts'
import { hasRepeatedMember, shapeOfJson } from '../../../../platform/kernel/json.ts'
import { type Filter, maxFilterBytes, readFilter } from '../../../../platform/lists/filter.ts'
import { requireReadable } from '../../../../platform/lists/reading.ts'
import { requireScopes } from '../../../../platform/resource/scopes.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { conversationFields } from '../../conversations/finding/fields.ts'
import { actingOperatorId } from '../../conversations/finding/request.ts'
import { scopeOf } from './items.ts'
import { maxNamedFilters } from './schema.ts'

/** As many faults as a response has. */
const maxFaults = 100
const namePattern = /^[a-z0-9_]{1,40}$/

export type NamedFilter = { name: string; filter: Filter }

type Fault = Pick<FieldError, 'code' | 'detail'> & { pointer: string }

/**
 * Filters of conversations by names: a JSON object, in its order.
 * @throws ApiError `invalid_query` with all faults of all filters; `scope_missing`
 */
export async function namedFilters(ctx: Ctx, text: string): Promise<NamedFilter[]> {
  const { principal, db, env } = ctx
  requireScopes(principal.allows, scopeOf.conversation)
  const members = membersOf(text)
  const reading = {
    fields: conversationFields(await definitionsOf(db, env.tenantId)),
    me: actingOperatorId(ctx),
  }
  const faults: Fault[] = []
  const filters: NamedFilter[] = []
  for (const [name, json] of members) {
    const at = `/${escaped(name)}`
    if (!namePattern.test(name)) {
      const detail = 'must have a name of 1 to 40 lower-case letters, digits and underscores'
      faults.push({ pointer: at, code: 'bad_format', detail })
    }
    const read = readFilter(json, reading)
    if ('filter' in read) filters.push({ name, filter: read.filter })
    else faults.push(...read.faults.map((fault) => ({ ...fault, pointer: at + fault.pointer })))
  }
  if (faults.length > 0) throw refused(faults.slice(0, maxFaults))
  for (const { filter } of filters) requireReadable(filter, principal.allows)
  return filters
}

const refused = (faults: Fault[]) =>
  new ApiError('invalid_query', {}, { errors: faults.map((fault) => ({ parameter: 'filters', ...fault })) })

const fault = (code: FieldError['code'], detail: string) => refused([{ pointer: '', code, detail }])

const escaped = (name: string) => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')

/** The members of a JSON object, in the order of the text. @throws ApiError `invalid_query` */
function membersOf(text: string): [name: string, value: unknown][] {
  const bytes = Buffer.from(text)
  if (bytes.length > maxFilterBytes)
    throw fault('too_long', `must have at most ${maxFilterBytes} bytes, and has ${bytes.length}`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw fault('bad_format', 'must be JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw fault('wrong_type', 'must be an object of filters by their names')
  const most = { values: maxFilterBytes, membersOfOne: maxFilterBytes, levels: maxFilterBytes }
  if (hasRepeatedMember(shapeOfJson(bytes, most), json))
    throw fault('bad_format', 'must not have two members with the same name in an object')
  const members = new Map(Object.entries(json))
  if (members.size > maxNamedFilters)
    throw fault('too_long', `must have at most ${maxNamedFilters} filters, and has ${members.size}`)
  return namesOf(text).map((name) => [name, members.get(name)])
}

/** The names of a valid JSON object in their order: a JavaScript object has those that are numbers first. */
function namesOf(text: string): string[] {
  const names: string[] = []
  let level = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') level++
    else if (token === '}' || token === ']') level--
    else if (level === 1 && token.endsWith(':')) names.push(JSON.parse(token.slice(0, -1)))
  }
  return names
}

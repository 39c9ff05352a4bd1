import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Fields } from '../../../platform/lists/field.ts'
import { type Fault, type Filter, leavesOf, readFilter } from '../../../platform/lists/filter.ts'
import { requireReadable, scopesOf } from '../../../platform/lists/reading.ts'
import type { ValueFault } from '../../../platform/resource/schema.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { endUserFields } from '../../people/end-users/finding/fields.ts'
import { endUserSorts } from '../../people/end-users/finding/request.ts'
import {
  anyDefinitions,
  type Definitions,
  definitionsOf,
} from '../../properties/custom-fields/definitions.ts'
import { conversationFields } from '../conversations/finding/fields.ts'
import { conversationSorts } from '../conversations/finding/orders.ts'
import { actingOperatorId, type Within } from '../conversations/finding/request.ts'

export const viewSubjects = ['conversation', 'end_user'] as const
export type ViewSubject = (typeof viewSubjects)[number]

/** The first fault of a stored filter; the pointer is relative to the filter. */
export type Broken = { pointer: string; detail: string }

const fieldsOf: Record<ViewSubject, (definitions: Definitions) => Fields> = {
  conversation: conversationFields,
  end_user: endUserFields,
}

/** The sorts of the lists; the first one is the default. */
export const sortsOf: Record<ViewSubject, readonly [string, ...string[]]> = {
  conversation: conversationSorts,
  end_user: endUserSorts,
}

/** A filter with the fields that exist now. `me` is accepted, because each reader is another operator. */
export const readViewFilter = (
  subject: ViewSubject,
  json: unknown,
  definitions: Definitions,
  me: string | null = null,
): { filter: Filter; fields: Fields } | { faults: Fault[] } => {
  const fields = fieldsOf[subject](definitions)
  const read = readFilter(json, { fields, me, acceptsMe: true })
  return 'faults' in read ? read : { ...read, fields }
}

/** The faults that a filter has whatever custom fields there are; of objects that are not known, those for all. */
export function faultsIn(filter: unknown, subject?: ViewSubject): Fault[] {
  const [faults = [], ...others] = (subject ? [subject] : viewSubjects).map((each) => {
    const read = readViewFilter(each, filter, anyDefinitions)
    return 'faults' in read ? read.faults : []
  })
  return faults.filter(({ pointer, code }) =>
    others.every((each) => each.some((fault) => fault.pointer === pointer && fault.code === code)),
  )
}

export const faultsInSort = (
  subject: ViewSubject,
  sort: string | undefined,
): (ValueFault & { pointer: string })[] =>
  sort === undefined || sortsOf[subject].includes(sort)
    ? []
    : [
        {
          pointer: '/sort',
          code: 'not_allowed',
          detail: `must be a sort of the list: ${sortsOf[subject].join(', ')}`,
        },
      ]

type StoredFilter = { applies_to: ViewSubject; filter: unknown }

/** Null if the filter can be evaluated. */
export function brokenOf({ applies_to, filter }: StoredFilter, definitions: Definitions): Broken | null {
  const read = readViewFilter(applies_to, filter, definitions)
  return 'filter' in read ? null : brokenBy(read.faults)
}

function brokenBy(faults: Fault[]): Broken {
  const [{ pointer, detail }] = faults as [Fault, ...Fault[]]
  return { pointer, detail }
}

type Read = Within | { broken: Broken }

/** The filter of a view for this request, or its fault; null if the request may not or cannot evaluate it. */
export async function filterIfPossible(ctx: Ctx, view: StoredFilter): Promise<Read | null> {
  const read = await readFor(ctx, view)
  if (
    'filter' in read &&
    (lacksOperator(ctx, read.filter) || !scopesOf(read.filter).every(ctx.principal.allows))
  )
    return null
  return read
}

/**
 * The filter of a view for this request, or its fault.
 * @throws ApiError `invalid_query` if it names the operator of `Backline-Operator` and the request has none;
 * `scope_missing`
 */
export async function filterFor(ctx: Ctx, view: StoredFilter): Promise<Read> {
  const read = await readFor(ctx, view)
  if ('broken' in read) return read
  if (lacksOperator(ctx, read.filter)) throw operatorMissing()
  requireReadable(read.filter, ctx.principal.allows)
  return read
}

async function readFor(ctx: Ctx, { applies_to, filter }: StoredFilter): Promise<Read> {
  const definitions = await definitionsOf(ctx.db, ctx.env.tenantId)
  const read = readViewFilter(applies_to, filter, definitions, actingOperatorId(ctx))
  return 'faults' in read ? { broken: brokenBy(read.faults) } : read
}

const lacksOperator = (ctx: Ctx, filter: Filter): boolean =>
  actingOperatorId(ctx) === null &&
  leavesOf(filter).some(({ of, values }) => of.takesMe === true && values.includes('me'))

/** @throws ApiError `view_broken`, and as `filterFor` */
export async function usableFilter(ctx: Ctx, view: StoredFilter): Promise<Within> {
  const read = await filterFor(ctx, view)
  if ('filter' in read) return read
  throw new ApiError('view_broken', { pointer: read.broken.pointer })
}

const operatorMissing = () =>
  new ApiError(
    'invalid_query',
    {},
    {
      errors: [
        {
          header: 'Backline-Operator',
          code: 'required',
          detail: 'is required, because the filter of the view has a condition on me',
        },
      ],
    },
  )

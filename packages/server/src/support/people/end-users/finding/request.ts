import type { At, Fields, Leaf } from '../../../../platform/lists/field.ts'
import { type Filter, leavesOf } from '../../../../platform/lists/filter.ts'
import type { FilterLimits } from '../../../../platform/lists/page.ts'
import { leavesOfParameters } from '../../../../platform/lists/parameters.ts'
import { filterParameter } from '../../../../platform/lists/reading.ts'
import { type FilteredObjects, listRequest } from '../../../../platform/lists/request.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { none, type Sql, sql, textAfter } from '../../../../platform/postgres/sql.ts'
import type { ListRequest } from '../../../../platform/resource/resource.ts'
import type { Members } from '../../../../platform/resource/schema.ts'
import { queryTokens } from '../../../../platform/search/search-text.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { type EndUser, endUserOrders, endUserTable, ofExternalId } from '../queries.ts'
import type { EndUserFilters } from '../schema.ts'
import { endUserFields, endUserFieldTable, isPresent } from './fields.ts'

export type EndUserSort = keyof typeof endUserOrders
export const endUserSorts = Object.keys(endUserOrders) as [EndUserSort, ...EndUserSort[]]

type EndUserList = ListRequest<EndUser, EndUserSort>

/**
 * The list of end users that meet the parameters of a request, and a view if there is one.
 * @throws ApiError `invalid_query` with all faults of `filter`; `scope_missing`
 */
export async function requestedEndUsers(
  ctx: Ctx,
  { filter: text, q, external_id: externalId, ...simple }: Members<typeof EndUserFilters>,
  within?: { filter: Filter; fields: Fields },
): Promise<EndUserList> {
  const { db, env } = ctx
  const fields = async () => within?.fields ?? endUserFields(await definitionsOf(db, env.tenantId))
  const trees = [
    ...(within ? [within.filter] : []),
    ...(text === undefined
      ? []
      : [filterParameter(text, { fields: await fields(), me: null }, ctx.principal.allows)]),
  ]
  const named = externalId === undefined ? [] : [namedLeaf(externalId)]
  const filter = { all: [...trees, ...named, ...leavesOfParameters(simple, endUserFieldTable)] }
  return endUserList(db, { tenantId: env.tenantId, now: ctx.now() }, filter, q)
}

const endUsers: FilteredObjects<EndUser, EndUserSort> = {
  table: endUserTable,
  orderOf: (sort) => endUserOrders[sort],
  newestFirst: '-created_at',
  ordering: () => [],
  together: [],
  reading: (checks) => ({ slow: checks.size > (checks.has(present.field) ? 1 : 0) }),
}

/** The list of end users that meet a filter. @param q words that they have as well */
export function endUserList(db: Db, at: At, filter: Filter, q?: string, limits?: FilterLimits): EndUserList {
  const words = q === undefined ? undefined : wordsLeaf(q)
  if (words === null) return { page: async () => [], count: async () => 0 }
  const isAboutStatus = leavesOf(filter).some(({ field }) => field === 'status')
  const all = [...(isAboutStatus ? [] : [present]), ...(words ? [words] : []), filter]
  return listRequest(db, at, endUsers, { all }, { limits })
}

/** A condition that is also a check. */
const hidden = (field: string, test: (at: At) => Sql, hasIndex: boolean): Leaf => ({
  field,
  op: 'is',
  values: [true],
  of: {
    kind: 'boolean',
    description: '',
    some: (_, at) => test(at),
    ...(hasIndex
      ? {
          candidates: (_, at) =>
            sql`select id from end_users where tenant_id = ${at.tenantId} and ${test(at)}`,
        }
      : {}),
    checks: [{ as: field, valueOf: () => true, test: (_, at) => test(at) }],
  },
})

/** A list without a condition on the status leaves merged and erased end users out. */
const present = hidden('present', () => sql`(${isPresent})`, false)

/** The end user with an external id; the target, if the id is an alias. */
const namedLeaf = (externalId: string): Leaf =>
  hidden(
    'named',
    ({ tenantId }) => sql`id = (select coalesce(named.merged_into_id, named.id) from end_users named
      where named.tenant_id = ${tenantId} and named.external_id = ${externalId})`,
    true,
  )

/** The end users with all words in their name, addresses or external id; null if there is no word. */
function wordsLeaf(text: string): Leaf | null {
  const found = isFoundBy(text)
  return found && hidden('q', () => found, true)
}

function isFoundBy(text: string): Sql | null {
  const { tokens, last } = queryTokens(text)
  if (last === null) return null
  const words = tokens.map((token) => {
    const ending = token === last ? ':*' : ''
    return `('${token}'${ending} | '${ofExternalId}${token}'${ending})`
  })
  const start = text.trim()
  const end = textAfter(start)
  return sql`(search @@ ${words.join(' & ')}::tsquery or (external_id >= ${start}${end === null ? none : sql` and external_id < ${end}`}
    and merged_into_id is null))`
}

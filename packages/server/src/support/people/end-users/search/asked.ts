import { filterOfQuery } from '../../../../platform/filters/faults.ts'
import { requireReadable } from '../../../../platform/filters/scopes.ts'
import { type Filter, readFilterText } from '../../../../platform/filters/tree.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Members } from '../../../../platform/resource/schema.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { endUserFields } from '../filters/fields.ts'
import type { EndUserFilters } from '../schema.ts'
import type { EndUserFilter } from './queries.ts'

/** Converts query parameters for queries. @throws ApiError `invalid_query` with all faults of `filter` */
export async function endUsersAskedFor(
  ctx: Ctx,
  { filter, company_id, ...query }: Members<typeof EndUserFilters>,
): Promise<EndUserFilter> {
  return {
    ...query,
    ...(company_id === undefined ? {} : { company_id: uuidOf('co', company_id)! }),
    ...(filter === undefined ? {} : { filter: await endUserFilterIn(ctx, filter) }),
  }
}

async function endUserFilterIn(ctx: Ctx, text: string): Promise<Filter> {
  const fields = endUserFields(await definitionsOf(ctx.db, ctx.env.tenantId))
  return requireReadable(filterOfQuery(readFilterText(text, { fields, me: null })), ctx.allows)
}

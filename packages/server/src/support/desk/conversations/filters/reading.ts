import { filterOfQuery } from '../../../../platform/filters/faults.ts'
import { requireReadable } from '../../../../platform/filters/scopes.ts'
import { type Filter, leavesOf, noMe, readFilterText } from '../../../../platform/filters/tree.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { conversationFields } from './fields.ts'

/** The filter of conversations in the parameter `filter`. @throws ApiError `invalid_query` with all faults of it */
export async function conversationFilterIn(ctx: Ctx, text: string): Promise<Filter> {
  const fields = conversationFields(await definitionsOf(ctx.db, ctx.env.tenantId))
  return requireReadable(
    filterOfQuery(readFilterText(text, { fields, me: actingOperatorId(ctx) })),
    ctx.allows,
  )
}

/** The operator of `Backline-Operator`, as a UUID. */
export const actingOperatorId = ({ actor }: Ctx): string | null =>
  actor.operator_id === null ? null : uuidOf('op', actor.operator_id)

/** The operator for whom `me` stands in a simple filter. @throws ApiError `invalid_query` if there is none */
export function operatorMeant(ctx: Ctx, parameter: string): string {
  const operatorId = actingOperatorId(ctx)
  if (operatorId !== null) return operatorId
  throw new ApiError('invalid_query', {}, { errors: [{ parameter, code: 'not_allowed', detail: noMe }] })
}

/** The values in a filter, with the operator for whom `me` stands; null without a filter. */
export const valuesIn = (filter: Filter | undefined): unknown =>
  filter ? leavesOf(filter).map(({ values }) => values) : null

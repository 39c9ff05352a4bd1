import { type Filter, readFilter } from '../../../../platform/lists/filter.ts'
import { FilterTree } from '../../../../platform/lists/parameters.ts'
import { requireReadable } from '../../../../platform/lists/reading.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import type { References } from '../../../../platform/unit-of-work/references.ts'
import {
  anyDefinitions,
  type Definitions,
  definitionsOf,
} from '../../../properties/custom-fields/definitions.ts'
import { conversationFields } from './fields.ts'
import { actingOperatorId } from './request.ts'

/* Filters of conversations in the bodies of requests. */

const read = (json: unknown, definitions: Definitions, me: string | null, acceptsMe = false) =>
  readFilter(json, { fields: conversationFields(definitions), me, acceptsMe })

/** A filter of conversations in a body, whose fields are judged without stored data. */
export const ConversationFilterTree = (description: string) =>
  FilterTree(description, (json) => {
    const judged = read(json, anyDefinitions, null, true)
    return 'faults' in judged ? judged.faults : []
  })

/**
 * The filter for this request, with the custom fields that exist now; null if it has faults, which `references` reports
 * below `pointer`.
 * @throws ApiError `scope_missing`
 */
export async function conversationFilter(
  ctx: Ctx,
  json: unknown,
  references: References,
  pointer: string,
): Promise<Filter | null> {
  const judged = read(json, await definitionsOf(ctx.db, ctx.env.tenantId), actingOperatorId(ctx))
  if ('filter' in judged) return requireReadable(judged.filter, ctx.principal.allows)
  for (const fault of judged.faults) references.fault({ ...fault, pointer: `${pointer}${fault.pointer}` })
  return null
}

/** A stored filter; null if a later change, such as a deleted custom field, made it impossible. */
export async function storedConversationFilter(ctx: Ctx, json: unknown): Promise<Filter | null> {
  const judged = read(json, await definitionsOf(ctx.db, ctx.env.tenantId), actingOperatorId(ctx))
  return 'filter' in judged ? judged.filter : null
}

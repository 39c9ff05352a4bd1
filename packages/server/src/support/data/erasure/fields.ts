import type { Change } from '../../../platform/unit-of-work/change.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'

/** The custom fields of conversations whose values nobody writes freely: reports count them. */
export async function fieldsWithChoices({ db, tenantId }: Change): Promise<ReadonlySet<string>> {
  const { conversation } = await definitionsOf(db, tenantId)
  const chosen = conversation.filter(({ type }) => ['boolean', 'select', 'multi_select'].includes(type))
  return new Set(chosen.map(({ id }) => id))
}

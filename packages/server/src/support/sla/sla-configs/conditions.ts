import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import type { References } from '../../../platform/unit-of-work/references.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { tagsNamed } from '../../catalogue/tags/actions.ts'
import { companies } from '../../people/companies/entity.ts'
import { departments } from '../../team/departments/entity.ts'
import type { Conditions } from './queries.ts'
import type { NewConditions } from './schema.ts'

/** Conditions that match every conversation. */
export const noConditions: Conditions = {
  department_ids: [],
  category_ids: [],
  company_ids: [],
  priorities: [],
  channels: [],
  tags: [],
}

/** The conditions after a patch; `references` receives the errors of invalid ids. */
export async function patchedConditions(
  change: Change,
  references: References,
  before: Conditions,
  patch: NewConditions,
): Promise<Conditions> {
  if (patch === null) return noConditions
  const { department_ids, category_ids, company_ids, priorities, channels, tags_any } = patch ?? {}
  const tagIds = before.tags.map(({ id }) => id)
  return {
    department_ids: await chosen(references, departments, 'department_ids', department_ids, before),
    category_ids: await chosen(references, categories, 'category_ids', category_ids, before),
    company_ids: await chosen(references, companies, 'company_ids', company_ids, before),
    priorities: eachOnce(priorities, before.priorities),
    channels: eachOnce(channels, before.channels),
    tags:
      tags_any === undefined
        ? before.tags
        : await tagsNamed(change, tags_any ?? [], '/conditions/tags_any', tagIds, references),
  }
}

const eachOnce = (values: string[] | null | undefined, before: string[]) =>
  values === undefined ? before : [...new Set(values)]

/** The ids of the rows, without duplicates. Ids that the config already has may be archived or deleted. */
async function chosen<Row extends ResourceRow & { archived: boolean }>(
  references: References,
  entity: Entity<Row>,
  field: 'department_ids' | 'category_ids' | 'company_ids',
  ids: string[] | null | undefined,
  { [field]: before }: Conditions,
): Promise<string[]> {
  if (ids === undefined) return before
  const prefix = entity.prefix
  const present = new Set<string>()
  for (const [i, id] of (ids ?? []).entries()) {
    const kept = before.find((each) => each === uuidOf(prefix, id))
    const row = kept ? { id: kept } : await references.to(entity, `/conditions/${field}/${i}`, id)
    if (row) present.add(row.id)
  }
  return [...present]
}

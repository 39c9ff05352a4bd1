import { uuidOf } from '../kernel/ids.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../unit-of-work/entity.ts'
import { References } from '../unit-of-work/references.ts'

/**
 * Sets the positions of rows to those in a list of ids, with the event `reordered`.
 * @throws ApiError 422 with the pointers of ids that name none; archived rows keep their place too
 */
export async function reorder<Row extends ResourceRow & { position: number; archived?: boolean }>(
  change: Change,
  entity: Entity<Row>,
  ids: string[],
): Promise<Row[]> {
  await change.lock(`${entity.type}/order`)
  const references = new References(change)
  const found = await Promise.all(
    ids.map((id, i) => references.to(entity, `/ids/${i}`, id, uuidOf(entity.prefix, id))),
  )
  references.check()
  return found.map((row, position) =>
    change.rows.update(entity, row!, { position } as Partial<Row>, `${entity.type}.reordered`),
  )
}

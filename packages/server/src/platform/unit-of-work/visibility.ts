import { uuidOf } from '../kernel/ids.ts'
import type { Ctx } from './context.ts'
import type { Entity, ResourceRow, Viewer } from './entity.ts'

/** Null for a request that acts for no operator: it sees all rows. */
export function viewerOf({ actor, allows, db, env }: Ctx): Viewer | null {
  if (actor.operator_id === null) return null
  return { operatorId: uuidOf('op', actor.operator_id)!, allows, db, tenantId: env.tenantId }
}

/** Can the operator for whom a request acts see a row? */
export async function isVisible<Row extends ResourceRow>(
  entity: Pick<Entity<Row>, 'isVisible'>,
  row: Row,
  ctx: Ctx,
): Promise<boolean> {
  const viewer = entity.isVisible ? viewerOf(ctx) : null
  return viewer === null || entity.isVisible!(row, viewer)
}

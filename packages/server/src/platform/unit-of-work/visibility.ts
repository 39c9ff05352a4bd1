import type { Ctx } from './context.ts'
import type { Entity, ResourceRow, Viewer } from './entity.ts'

/** Null for a request that acts for nobody: it sees all rows. */
export function viewerOf({ principal, db, env }: Ctx): Viewer | null {
  const { viewerId: id, allows } = principal
  return id === null ? null : { id, allows, db, tenantId: env.tenantId }
}

/** Can the person for whom a request acts see a row? */
export async function isVisible<Row extends ResourceRow>(
  entity: Pick<Entity<Row>, 'isVisible'>,
  row: Row,
  ctx: Ctx,
): Promise<boolean> {
  const viewer = entity.isVisible ? viewerOf(ctx) : null
  return viewer === null || entity.isVisible!(row, viewer)
}

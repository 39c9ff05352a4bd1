import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { consoleSessionIdOf } from '../../vocabulary/principal.ts'

/**
 * In the console, operators write as themselves. Only administrators write for the end user or the system, as API keys
 * do, which pass on what end users wrote elsewhere.
 * @throws ApiError `scope_missing`
 */
export function requireOwnSide(ctx: Ctx, side: string): void {
  if (consoleSessionIdOf(ctx) === null || side === 'operator' || ctx.principal.allows('*')) return
  const detail = 'In the console, only the role admin may write for the end user or the system.'
  throw new ApiError('scope_missing', { scope: '*' }, { detail })
}

import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'

/**
 * In the console, operators write as themselves. Only administrators write for the end user or the system, as API keys
 * do, which pass on what end users wrote elsewhere.
 * @throws ApiError `scope_missing`
 */
export function requireOwnSide({ consoleSessionId, allows }: Ctx, side: string): void {
  if (consoleSessionId === null || side === 'operator' || allows('*')) return
  const detail = 'In the console, only the role admin may write for the end user or the system.'
  throw new ApiError('scope_missing', { scope: '*' }, { detail })
}

import type { Ctx } from '../../../context.ts'
import { ApiError } from '../../../lib/errors.ts'
import { fallbacks, localeFault, localeKey } from '../../../lib/locales.ts'
import { findWorkspace } from '../../workspace/queries.ts'

/**
 * A language and what it falls back to, the default of the workspace last; the nearest first.
 * @throws ApiError 400 for a language that there is not
 */
export async function localesFor({ db, env }: Ctx, locale: string): Promise<string[]> {
  const fault = localeFault(locale)
  if (fault) throw new ApiError('invalid_query', {}, { errors: [{ parameter: 'locale', ...fault }] })
  const workspace = await findWorkspace(db, env.tenantId)
  const all = [...fallbacks(locale), ...fallbacks(workspace?.default_language ?? null)]
  return [...new Set(all.map(localeKey))]
}

import { fallbacks, localeKey } from '../../../../platform/kernel/locales.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { findWorkspace } from '../../../admin/workspace/queries.ts'

/** A language and its fallbacks, nearest first; the default of the workspace is last. */
export async function localesFor({ db, env }: Ctx, locale: string): Promise<string[]> {
  const workspace = await findWorkspace(db, env.tenantId)
  const all = [...fallbacks(locale), ...fallbacks(workspace?.default_language ?? null)]
  return [...new Set(all.map(localeKey))]
}

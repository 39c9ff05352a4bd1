import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { tokenHolderOf } from '../../../vocabulary/principal.ts'
import { keptQuery } from './kept-query.ts'
import type { Kind } from './tally.ts'

type Asked = { q?: string | undefined; locale?: string | undefined }

/** Counts a search for its first page, unless an operator searches. @param found the rows of the page */
export function noteSearch(
  ctx: Ctx,
  kind: Kind,
  { q, locale }: Asked,
  { after }: { after: SortKey | null },
  found: unknown[],
): void {
  const { env, now, services, principal } = ctx
  if (q === undefined || after !== null || principal.actor.operator_id !== null) return
  const query = keptQuery(q)
  if (query === null) return
  services.searchTally.note(env.tenantId, {
    kind,
    query,
    locale: storedLocale(locale),
    caller: tokenHolderOf(ctx)?.id ?? principal.actor.id ?? '',
    hasFound: found.length > 0,
    at: now(),
  })
}

/** A known language tag in its canonical case; empty for none. */
export const storedLocale = (locale: string | undefined): string =>
  locale === undefined ? '' : Intl.getCanonicalLocales(locale)[0]!

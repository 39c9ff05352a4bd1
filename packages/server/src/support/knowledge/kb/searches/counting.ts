import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { keptQuery } from './kept-query.ts'
import { type Kind, tallyOf } from './tally.ts'

type Asked = { q?: string | undefined; locale?: string | undefined }

/**
 * Counts a search for its first page, unless an operator searches.
 * @returns the rows
 */
export function counted<Row>(
  { actor, endUser, env, now, services }: Ctx,
  kind: Kind,
  { q, locale }: Asked,
  { after }: { after: SortKey | null },
  rows: Row[],
): Row[] {
  if (q === undefined || after !== null || actor.operator_id !== null) return rows
  const query = keptQuery(q)
  if (query === null) return rows
  tallyOf(services).note(env.tenantId, {
    kind,
    query,
    locale: storedLocale(locale),
    caller: endUser?.id ?? actor.id ?? '',
    hasFound: rows.length > 0,
    at: now(),
  })
  return rows
}

/** A known language tag in its canonical case; empty for none. */
export const storedLocale = (locale: string | undefined): string =>
  locale === undefined ? '' : Intl.getCanonicalLocales(locale)[0]!

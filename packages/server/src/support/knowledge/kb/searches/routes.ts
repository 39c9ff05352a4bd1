import { parseInstant } from '../../../../platform/kernel/clock.ts'
import { requireKnownLocale } from '../../../../platform/kernel/locales.ts'
import { list } from '../../../../platform/resource/resource.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { storedLocale } from './counting.ts'
import { countSearches, listSearches, retentionDays, type SearchFilter, searchOrders } from './queries.ts'
import { kbSearchWire, SearchListFilters } from './schema.ts'

function toFilter(filters: SearchListFilters): SearchFilter {
  const { last_found_nothing, locale, last_searched_after: after, last_searched_before: before } = filters
  requireKnownLocale(locale)
  return {
    last_searched_after: after === undefined ? null : parseInstant(after),
    last_searched_before: before === undefined ? null : parseInstant(before),
    ...(last_found_nothing === undefined ? {} : { last_found_nothing: last_found_nothing === 'true' }),
    ...(locale === undefined ? {} : { locale: storedLocale(locale) }),
  }
}

/** Writes what this server has counted. If this fails, the next timed write tries again and logs the error. */
const writeCounts = ({ db, env, services }: Ctx): Promise<void> =>
  services.searchTally.flush(db, env.tenantId).catch(() => undefined)

export const searchesRoutes = [
  list({
    path: '/kb/searches',
    name: 'listKbSearches',
    summary: 'List what readers searched for',
    description: `Lists the queries of searches of the knowledge base, with the number of those that found nothing. Counts searches of published articles and FAQs by end users, and by keys without \`Backline-Operator\`; those of one query together. Queries with an \`@\`, a long number or a code may be about a person and are not kept. A query is removed ${retentionDays} days after its last search.`,
    scope: 'kb:read',
    query: SearchListFilters,
    item: kbSearchWire,
    sorts: ['-searches', '-last_searched_at'],
    sortNotes: { '-searches': 'most searched first', '-last_searched_at': 'last searched first' },
    sortKey: (row, sort) => searchOrders[sort].key(row),
    handle: async (ctx, { query, page }) => {
      const filter = toFilter(query)
      await writeCounts(ctx)
      return listSearches(ctx.db, ctx.env.tenantId, filter, page)
    },
    count: async (ctx, { query }, atMost) => {
      const filter = toFilter(query)
      await writeCounts(ctx) // runs at once with the list: the total includes what the list shows
      return countSearches(ctx.db, ctx.env.tenantId, filter, atMost)
    },
  }),
]

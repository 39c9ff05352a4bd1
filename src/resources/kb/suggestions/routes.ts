import { list } from '../../../resource.ts'
import { suggestionWire } from './schema.ts'
import { suggestionsFor } from './suggest.ts'

export const suggestionRoutes = [
  list({
    path: '/conversations/{id}/suggestions',
    name: 'listSuggestions',
    summary: 'List articles and FAQs that fit a conversation',
    description:
      "Published ones that fit its subject and the end user's last messages, best first, up to 100; articles for keys with `kb:read`, FAQs for keys with `faqs:read`. Those in the conversation's language, if it has one, or in one that it falls back to.",
    scope: 'conversations:read',
    params: { id: 'conv' },
    item: suggestionWire,
    sorts: ['relevance'],
    sortKey: ({ rank, id }) => [rank, id],
    handle: async (ctx, { params, page }) => {
      const all = await suggestionsFor(ctx, params.id)
      const [rank, id] = (page.after ?? [Infinity, '']) as [number, string]
      return all
        .filter((each) => each.rank < rank || (each.rank === rank && each.id < id))
        .slice(0, page.limit)
    },
    count: async (ctx, { params }) => (await suggestionsFor(ctx, params.id)).length,
  }),
]

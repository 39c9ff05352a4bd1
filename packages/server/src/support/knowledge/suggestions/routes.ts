import { list } from '../../../platform/resource/resource.ts'
import { suggestionWire } from './schema.ts'
import { suggestionsFor } from './suggest.ts'

export const suggestionRoutes = [
  list({
    path: '/conversations/{id}/suggestions',
    name: 'listSuggestions',
    summary: 'List suggestions for a conversation',
    description:
      "Lists up to 100 published articles and FAQs that match the subject and the end user's latest messages, best matches first. Articles require the scope `kb:read`, FAQs `faqs:read`. If the conversation has a language, only suggestions in that language or its fallback languages are returned.",
    scope: 'conversations:read',
    documentedUnder: 'kb',
    params: { id: 'conv' },
    item: suggestionWire,
    sorts: ['relevance'],
    sortNotes: { relevance: 'best match first' },
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

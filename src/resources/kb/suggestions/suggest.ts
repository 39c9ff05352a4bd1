import type { Ctx } from '../../../context.ts'
import { fitting } from '../../../db/search.ts'
import { ApiError } from '../../../lib/errors.ts'
import { searchTokens } from '../../../lib/search-text.ts'
import { type Conversation, findConversation } from '../../conversations/queries.ts'
import { findFaqs, isShown } from '../../faqs/queries.ts'
import { listMessages } from '../../messages/queries.ts'
import { asServed } from '../articles/schema.ts'
import { localesFor } from '../search/locales.ts'
import { findArticles } from '../search/queries.ts'
import type { Suggestion } from './schema.ts'

const maxMessages = 5
const maxTokens = 40
/** No more are looked for of either kind. */
const maxSuggestions = 50

/** What fits a conversation's subject and its last messages, best first; of the kinds that the key may read. */
export async function suggestionsFor(ctx: Ctx, conversationId: string): Promise<Suggestion[]> {
  const { db, env } = ctx
  const conversation = await findConversation(db, env.tenantId, conversationId)
  if (!conversation) throw new ApiError('not_found')
  const tokens = searchTokens(await textOf(ctx, conversation)).slice(0, maxTokens)
  if (tokens.length === 0) return []
  const localeKeys = conversation.language === null ? null : await localesFor(ctx, conversation.language)
  const matches = (kind: 'kb_article' | 'faq') => fitting(env.tenantId, tokens, { kind, localeKeys })
  const [articles, faqs] = await Promise.all([
    ctx.allows('kb:read') ? findArticles(db, env.tenantId, matches('kb_article'), maxSuggestions, null) : [],
    ctx.allows('faqs:read') ? findFaqs(db, env.tenantId, matches('faq'), isShown, maxSuggestions, null) : [],
  ])
  const suggestions: Suggestion[] = [
    ...articles.map((row) => ({
      ...{ type: 'kb_article' as const, id: row.id, rank: row.score },
      article: asServed(row)!,
      faq: null,
    })),
    ...faqs.map((faq) => ({ type: 'faq' as const, id: faq.id, rank: faq.score, article: null, faq })),
  ]
  return suggestions.sort((one, other) => other.rank - one.rank || (one.id > other.id ? -1 : 1))
}

/** The subject first, then what the end user wrote, the latest first. */
async function textOf({ db, env }: Ctx, { id, subject }: Conversation): Promise<string> {
  const said = { author_side: 'end_user', visibility: 'public' }
  const page = { sort: '-sequence', limit: maxMessages, after: null } as const
  const messages = await listMessages(db, env.tenantId, id, said, page)
  return [subject ?? '', ...messages.map(({ body }) => body)].join('\n')
}

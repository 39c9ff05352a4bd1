import { ApiError } from '../../../platform/kernel/errors.ts'
import { findBest, fitting } from '../../../platform/search/search.ts'
import type { SearchKind } from '../../../platform/search/search-index.ts'
import { searchTokens } from '../../../platform/search/search-text.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Conversation, findConversation } from '../../desk/conversations/queries.ts'
import { lastSaid } from '../../desk/messages/queries.ts'
import { isNoHiddenFaq, shownFaqs } from '../faqs/queries.ts'
import { asServed } from '../kb/articles/schema.ts'
import { localesFor } from '../kb/search/locales.ts'
import { servedArticles } from '../kb/search/queries.ts'
import type { Fitting, Suggestion } from './schema.ts'

const maxMessages = 5
const maxTokens = 40
const maxSuggestions = 100

/** Suggestions for a conversation's subject and latest messages, best first, of the kinds that the key may read. */
export async function suggestionsFor(ctx: Ctx, conversationId: string): Promise<Suggestion[]> {
  const { db, env } = ctx
  const conversation = await findConversation(db, env.tenantId, conversationId)
  if (!conversation) throw new ApiError('not_found')
  const tokens = searchTokens(await textOf(ctx, conversation)).slice(0, maxTokens)
  const kinds = kindsFor(ctx)
  if (tokens.length === 0 || kinds.length === 0) return []
  const localeKeys = conversation.language === null ? null : await localesFor(ctx, conversation.language)
  const among = isNoHiddenFaq(env.tenantId)
  const matches = await fitting(db, env.tenantId, tokens, { kinds, localeKeys, among })
  const best = await findBest(db, matches, maxSuggestions, null)
  const ids = best.map(({ id }) => id)
  const [articles, faqs] = await Promise.all([
    servedArticles(db, env.tenantId, best),
    shownFaqs(db, env.tenantId, ids),
  ])
  const found = new Map<string, Fitting>([
    ...articles.map((row): [string, Fitting] => [
      row.id,
      { type: 'kb_article', article: asServed(row)!, faq: null },
    ]),
    ...faqs.map((faq): [string, Fitting] => [faq.id, { type: 'faq', article: null, faq }]),
  ])
  return best.flatMap(({ id, score }) => {
    const fitting = found.get(id)
    return fitting ? [{ ...fitting, id, rank: score }] : []
  })
}

const kindsFor = (ctx: Ctx): SearchKind[] => [
  ...(ctx.principal.allows('kb:read') ? (['kb_article'] as const) : []),
  ...(ctx.principal.allows('faqs:read') ? (['faq'] as const) : []),
]

/** The subject first, then the messages of the end user, newest first. */
async function textOf({ db, env }: Ctx, { id, subject }: Conversation): Promise<string> {
  const messages = await lastSaid(db, env.tenantId, id, maxMessages)
  return [subject ?? '', ...messages.map(({ body }) => body)].join('\n')
}

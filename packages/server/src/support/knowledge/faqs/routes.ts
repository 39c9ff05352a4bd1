import { uuidOf } from '../../../platform/kernel/ids.ts'
import { requireKnownLocale } from '../../../platform/kernel/locales.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { archivedFilter, crud } from '../../../platform/resource/crud.ts'
import { reorder } from '../../../platform/resource/reorder.ts'
import { list, write } from '../../../platform/resource/resource.ts'
import { type Members, Shape } from '../../../platform/resource/schema.ts'
import { listOf } from '../../../platform/resource/wire.ts'
import { unlessArchived } from '../../../platform/tables/table.ts'
import { Feedback } from '../feedback/schema.ts'
import { vote } from '../feedback/vote.ts'
import { noteSearch } from '../kb/searches/counting.ts'
import { createFaq, deleteFaq, updateFaq } from './actions.ts'
import { faqs } from './entity.ts'
import { countFaqs, faqSortKey, listFaqs } from './finding.ts'
import { conditionsOf, faqOrders, faqTable } from './queries.ts'
import { FaqFilters, FaqOrder, FaqPatch, faqExample, faqWire, maxReordered, NewFaq } from './schema.ts'

const fresh = { ...faqExample, helpful_count: 0, unhelpful_count: 0 }
const Filters = Shape({ ...FaqFilters.properties, ...archivedFilter })

function conditions(
  tenantId: string,
  { archived, q: _, category_id, kb_article_id, ...rest }: Members<typeof Filters>,
): Sql[] {
  requireKnownLocale(rest.locale)
  return [
    ...unlessArchived(archived),
    ...conditionsOf(tenantId, {
      ...rest,
      ...(category_id === undefined ? {} : { category_id: uuidOf('cat', category_id)! }),
      ...(kb_article_id === undefined ? {} : { kb_article_id: uuidOf('kba', kb_article_id)! }),
    }),
  ]
}

/** A search of all that is public; an answer that another filter hides is not missing. */
function isOfReaders({ q: _, locale: __, status, ...others }: Members<typeof Filters>): boolean {
  return status === 'published' && Object.keys(others).length === 0
}

export const routes = [
  ...crud({
    path: '/faqs',
    family: 'faqs',
    prefix: 'faq',
    noun: 'FAQ',
    wire: faqWire,
    table: faqTable,
    orders: faqOrders,
    create: {
      description:
        'Creates the FAQ as a draft unless `status` is `published`. HTML in the answer is sanitized and unknown tags are created.',
      body: NewFaq,
      example: {
        question: faqExample.question,
        answer: faqExample.answer,
        position: faqExample.position,
        status: faqExample.status,
        tags: faqExample.tags,
      },
      replyExample: fresh,
      handle: createFaq,
    },
    list: null,
    read: { description: 'Returns an FAQ, draft or published, with its answer as Markdown and as HTML.' },
    update: {
      description:
        'A change of a published FAQ is visible at once. Set `status` to publish it or to make it a draft again. Draft and archived FAQs are never suggested.',
      body: FaqPatch,
      example: { question: 'Why is my card declined?' },
      replyExample: { ...faqExample, question: 'Why is my card declined?', version: 2 },
      handle: (change, patch, id) => updateFaq(change, id, patch),
    },
    remove: { description: 'Also deletes the votes on the FAQ.', handle: deleteFaq },
  }),
  list({
    path: '/faqs',
    name: 'listFaqs',
    summary: 'List FAQs',
    description:
      'Lists FAQs, drafts included: to show them to end users, set `status=published`. With `q`, searches them.',
    scope: 'faqs:read',
    query: Filters,
    item: faqWire,
    sorts: ['position', '-created_at', 'created_at'],
    sortKey: faqSortKey,
    handle: async (ctx, { query, page }) => {
      const found = await listFaqs(ctx, query.q, conditions(ctx.env.tenantId, query), page)
      if (isOfReaders(query)) noteSearch(ctx, 'faq', query, page, found)
      return found
    },
    count: (ctx, { query }, atMost) => countFaqs(ctx, query.q, conditions(ctx.env.tenantId, query), atMost),
  }),
  write({
    method: 'POST',
    path: '/faqs/reorder',
    name: 'reorderFaqs',
    summary: 'Reorder FAQs',
    description:
      'Gives the FAQs the positions 0, 1, 2 and so on, archived ones included, and returns them in their new order. Each whose position changes emits `faq.reordered`.',
    scope: 'faqs:write',
    body: FaqOrder,
    bodyExample: { ids: ['faq_01kah1x2pje4x8ywz5v3k0t6ab', faqExample.id] },
    reply: listOf('OrderedFaqs', faqWire, maxReordered),
    versionOf: null,
    handle: (change, { body }) => reorder(change, faqs, body.ids),
  }),
  write({
    method: 'POST',
    path: '/faqs/{id}/feedback',
    name: 'voteOnFaq',
    summary: 'Submit feedback on an FAQ',
    description:
      'Each end user has one vote, whichever of its ids is given; a new vote replaces the previous one. Creates no version and no event.',
    scope: 'faqs:write',
    params: { id: 'faq' },
    body: Feedback,
    bodyExample: { helpful: true, external_user_id: 'user_42' },
    reply: faqWire,
    handle: (change, { params, body }) => vote(change, faqs, params.id, body),
  }),
]

import { localeKey } from '../../../platform/kernel/locales.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { and, join, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order } from '../../../platform/tables/table.ts'
import { votesFor } from '../../../platform/votes/votes.ts'
import type { UsedTag } from '../../catalogue/tags/actions.ts'
import { holdsTagNamed, tagsIn } from '../../catalogue/tags/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type FaqStatus = 'draft' | 'published'

export type Faq = RowOf<
  'faqs',
  {
    status: FaqStatus
    /** `stored_id` is the stored alias, if a tag was merged meanwhile. */
    tags: (UsedTag & { stored_id?: string })[]
    helpful_count: number
    unhelpful_count: number
  },
  'locale_key' | 'tag_ids'
>

export const faqTable = defineTable<Faq>({
  name: 'faqs',
  columns: tables.faqs,
  derived: {
    locale_key: { type: 'text', value: (row) => localeKey(row.locale) },
    tag_ids: { type: 'uuid[]', value: (row) => [...new Set(row.tags.map(({ id }) => id))] },
  },
  joined: { tags: tagsIn(sql`faqs.tag_ids`), ...votesFor('faqs') },
  large: ['answer', 'answer_html'],
})

export const faqOrders = {
  position: {
    by: sql`position, id`,
    after: ([position, id]) => sql`(position, id) > (${position}, ${id})`,
    key: (row) => [row.position, row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<Faq>>

export type FaqFilter = {
  status?: FaqStatus
  locale?: string
  category_id?: string
  kb_article_id?: string
  tag?: string
}

export const conditionsOf = (tenantId: string, filter: FaqFilter): Sql[] => {
  const { status, locale, category_id, kb_article_id, tag } = filter
  return [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(locale === undefined ? [] : [sql`locale_key = ${localeKey(locale)}`]),
    ...(category_id === undefined ? [] : [sql`category_id = ${category_id}`]),
    ...(kb_article_id === undefined ? [] : [sql`kb_article_id = ${kb_article_id}`]),
    ...(tag === undefined ? [] : [holdsTagNamed(sql`tag_ids`, tenantId, tag)]),
  ]
}

/** Condition on a searchable document: it is an FAQ that meets the conditions. */
export const isFaqThat = (tenantId: string, conditions: Sql[]): Sql =>
  sql`exists (select 1 from faqs where faqs.tenant_id = ${tenantId} and faqs.id = search_documents.id
    and ${join([sql`true`, ...conditions], and)})`

const shown: Sql[] = [sql`status = 'published'`, sql`not archived`]

/** Condition: the document is a public FAQ, or no FAQ. */
export const isNoHiddenFaq = (tenantId: string): Sql => sql`(kind <> 'faq' or ${isFaqThat(tenantId, shown)})`

/** The public FAQs among some ids. */
export const shownFaqs = (db: Db, tenantId: string, ids: string[]): Promise<Faq[]> =>
  faqTable.list(db, tenantId, [...shown, sql`id = any(${ids}::uuid[])`], faqOrders.position, {
    limit: ids.length,
    after: null,
  })

/** An FAQ with its search score. */
export type FoundFaq = Faq & { score: number }

/** The best of some matches (rows of `id` and `score`), in their order. */
export const findFaqs = (
  db: Db,
  tenantId: string,
  matches: Sql,
  limit: number,
  after: SortKey | null,
): Promise<FoundFaq[]> =>
  db.slowRows(sql`select ${faqTable.columns(tenantId)}, found.score
    from (${matches}) found join faqs on faqs.tenant_id = ${tenantId} and faqs.id = found.id
    ${after ? sql`where (found.score, found.id) < (${after[0]}, ${after[1]})` : none}
    order by found.score desc, found.id desc limit ${limit}`)

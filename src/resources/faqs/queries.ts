import type { Db } from '../../db/database.ts'
import { and, join, none, type Sql, sql } from '../../db/sql.ts'
import { byCreation, defineTable, type Order } from '../../db/table.ts'
import { votesFor } from '../../db/votes.ts'
import type { Instant } from '../../lib/clock.ts'
import { localeKey } from '../../lib/locales.ts'
import type { SortKey } from '../../lib/page.ts'
import type { UsedTag } from '../tags/actions.ts'
import { holdsTagNamed, tagsIn } from '../tags/queries.ts'

export type FaqStatus = 'draft' | 'published'

export type Faq = {
  id: string
  question: string
  answer: string
  answer_html: string
  locale: string
  category_id: string | null
  kb_article_id: string | null
  position: number
  status: FaqStatus
  /** `stored_id` is the alias that it is stored by, if a tag was merged meanwhile. */
  tags: (UsedTag & { stored_id?: string })[]
  archived: boolean
  helpful_count: number
  unhelpful_count: number
  created_at: Instant
  updated_at: Instant
  version: number
}

export const faqTable = defineTable<Faq>({
  name: 'faqs',
  columns: {
    id: 'uuid',
    question: 'text',
    answer: 'text',
    answer_html: 'text',
    locale: 'text',
    category_id: 'uuid',
    kb_article_id: 'uuid',
    position: 'integer',
    status: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  derived: {
    locale_key: { type: 'text', value: (row) => localeKey(row.locale) },
    tag_ids: { type: 'uuid[]', value: (row) => [...new Set(row.tags.map(({ id }) => id))] },
  },
  joined: { tags: tagsIn(sql`faqs.tag_ids`), ...votesFor('faqs') },
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

/** Of some FAQs those that are for everybody. */
export async function shownFaqs(db: Db, tenantId: string, ids: string[]): Promise<Faq[]> {
  const rows = await faqTable.findMany(db, tenantId, ids)
  return rows.filter(({ status, archived }) => status === 'published' && !archived)
}

/** An FAQ that a search finds. */
export type FoundFaq = Faq & { score: number }

const among = (tenantId: string, matches: Sql, conditions: Sql[]): Sql =>
  sql`from (${matches}) found join faqs on faqs.tenant_id = ${tenantId} and faqs.id = found.id
    where ${join([sql`true`, ...conditions], and)}`

/** The best of some matches (rows of `id` and `score`) that meet the conditions, in their order. */
export const findFaqs = (
  db: Db,
  tenantId: string,
  matches: Sql,
  conditions: Sql[],
  limit: number,
  after: SortKey | null,
): Promise<FoundFaq[]> =>
  db.slowRows(sql`select ${faqTable.columns(tenantId)}, found.score ${among(tenantId, matches, conditions)}
    ${after ? sql`and (found.score, found.id) < (${after[0]}, ${after[1]})` : none}
    order by found.score desc, found.id desc limit ${limit}`)

/** What of some matches meets the conditions. */
export const matchesAmong = (tenantId: string, matches: Sql, conditions: Sql[]): Sql =>
  sql`select found.id, found.score ${among(tenantId, matches, conditions)}`
